import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { RunContext } from './run.ts';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const TRACE_ID = '0af76519-16cd-43dd-8448-eb211c80319c';

test('what is begun in a run belongs to it, also after it has waited, and beside others', async () => {
  const context = new RunContext({ agent: 'a' });
  const idOf = (endkunde: string) =>
    context.run({ endkunde }, async () => {
      const before = context.current();
      await sleep(5);
      expect(context.current()).toBe(before);
      expect(before.attributed).toEqual({ agent: 'a', endkunde_ref: endkunde });
      return before.run?.id;
    });
  const [one, other] = await Promise.all([idOf('K-1'), idOf('K-2')]);
  expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(one).not.toBe(other);
  expect(context.current()).toEqual({ attributed: { agent: 'a' }, run: null, parent: null });
});

test('names of the interface say the same as those of the package; the project and free data go with the event', () => {
  const context = new RunContext({ extra: { team: 'x' } });
  const attributed = context.run(
    { agent: 'support', endkunde_ref: 'K', funktion: 'f', benutzer_ref: 'u', projekt: 'p', zusatz: { n: 1 } },
    () => context.current().attributed,
  );
  expect(attributed).toEqual({
    agent: 'support',
    endkunde_ref: 'K',
    funktion_ref: 'f',
    benutzer_ref: 'u',
    zusatz: { team: 'x', n: 1, projekt: 'p' },
  });
});

test('another agent within a run keeps the run, counts on, and names the step that led to it', () => {
  const context = new RunContext({});
  context.run({ agent: 'outer', endkunde: 'K' }, () => {
    const { run } = context.current();
    if (run) run.latest = 'step-1';
    context.run({ agent: 'inner' }, () => {
      expect(context.current()).toMatchObject({
        parent: 'step-1',
        attributed: { agent: 'inner', endkunde_ref: 'K' },
      });
      expect(context.current().run).toBe(run);
      context.run({ funktion: 'f' }, () => expect(context.current().parent).toBe('step-1'));
    });
    context.run({ agent: 'inner', newRun: true }, () => {
      expect(context.current().run?.id).not.toBe(run?.id);
      expect(context.current().attributed.zusatz).toEqual({ eltern_lauf: run?.id });
    });
    expect(context.current().parent).toBeNull();
  });
});

test('a run that is entered again goes on with its steps', () => {
  const context = new RunContext({});
  const stepIn = (options: object) =>
    context.run(options, () => {
      const { run } = context.current();
      if (run) run.steps += 1;
      return run?.steps;
    });
  expect([stepIn({ traceparent: TRACE }), stepIn({ traceparent: TRACE })]).toEqual([1, 2]);
  expect([stepIn({ lauf_id: 'chat' }), stepIn({ lauf_id: 'chat' })]).toEqual([1, 2]);
  expect([stepIn({}), stepIn({})]).toEqual([1, 1]);
});

test('a run for the whole program has the calls outside of others, and is around none', () => {
  const context = new RunContext({ agent: 'a', lauf_id: 'program' });
  const { run, parent } = context.current();
  expect([run?.id, parent]).toEqual(['program', null]);
  if (run) run.latest = 'step-1';
  context.run({ agent: 'b' }, () => {
    expect(context.current().run?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(context.current()).toMatchObject({ parent: null, attributed: { agent: 'b' } });
    expect(context.current().attributed.zusatz).toBeUndefined();
  });
  expect(context.current().run).toBe(run);
  expect(context.scopeOf({}).run).toBeNull();
});

test('the trace of a request is the run; within a run it begins none', () => {
  const context = new RunContext({});
  const idOf = (traceparent: string) => context.run({ traceparent }, () => context.current().run?.id);
  expect(idOf(TRACE)).toBe(TRACE_ID);
  expect(idOf(TRACE.toUpperCase())).toBe(TRACE_ID);
  for (const none of ['', 'x', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`])
    expect(idOf(none)).not.toBe(TRACE_ID);
  context.run({ lauf_id: 'given' }, () => {
    expect(idOf(TRACE)).toBe('given');
    expect(context.run({ newRun: true, traceparent: TRACE }, () => context.current().run?.id)).toBe(TRACE_ID);
  });
});

/** OpenTelemetry's API, as it leaves itself for all who look. */
function activate(span: unknown): void {
  const host = globalThis as Record<symbol, unknown>;
  const api = Symbol.for('opentelemetry.js.api.1');
  const spanUnder = (key: symbol) =>
    key === Symbol.for('OpenTelemetry Context Key SPAN') ? span : undefined;
  host[api] = { context: { active: () => ({ getValue: spanUnder }) } };
  onTestFinished(() => {
    delete host[api];
  });
}

test('in a host that uses OpenTelemetry the trace of the active span is the run, unless another is named', () => {
  const context = new RunContext({});
  const idOf = (options: object) => context.run(options, () => context.current().run?.id);
  const [, traceId, spanId] = TRACE.split('-');
  activate({ spanContext: () => ({ traceId, spanId, traceFlags: 0 }) });
  expect(idOf({ agent: 'a' })).toBe(TRACE_ID);
  expect(idOf({ lauf_id: 'given' })).toBe('given');
  expect(idOf({ traceparent: `00-${'1'.repeat(32)}-b7ad6b7169203331-01` })).toBe(
    '11111111-1111-1111-1111-111111111111',
  );
  context.run({}, () => expect(idOf({ newRun: true })).not.toBe(TRACE_ID));
  expect(context.current().run).toBeNull();
});

test.each([
  ['no span is active', undefined],
  ['the span has no trace', { spanContext: () => ({ traceId: '0'.repeat(32), spanId: '0'.repeat(16) }) }],
  [
    'the span fails',
    {
      spanContext: () => {
        throw new Error('own');
      },
    },
  ],
])('where %s, the run is a new one', (_case, span) => {
  activate(span);
  const context = new RunContext({});
  expect(context.run({}, () => context.current().run?.id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});

test('an error of the work is the caller’s, and the run is over', () => {
  const context = new RunContext({});
  expect(() =>
    context.run({}, () => {
      throw new Error('own');
    }),
  ).toThrow('own');
  expect(context.current().run).toBeNull();
});
