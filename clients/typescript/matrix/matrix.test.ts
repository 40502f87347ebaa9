/** Every library that can be connected, in its two newest majors, beside the truth. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeProvider, startFakeProvider } from '../../../test/fake-provider/index.ts';
import {
  type ClientOptions,
  type ConnectedClient,
  createClient,
  type Ereignis,
  InterventionsUnknown,
  StoppedByIntervention,
} from '../src/index.ts';
import { expectTrue } from './counted.ts';
import { libraries } from './install.ts';
import { type Connecting, embedWithAiSdk, LIBRARIES, type Library, type Program } from './libraries.ts';
import { type Service, startService } from './service.ts';

let fake: FakeProvider;
let service: Service;
const load = await libraries();
beforeAll(async () => {
  fake = await startFakeProvider();
  service = await startService();
});
afterAll(async () => {
  await fake?.stop();
  await service?.stop();
});

/** As much of its API as is used here. */
interface OpenTelemetry {
  context: { active(): unknown; setGlobalContextManager(manager: object): void; disable(): void };
  trace: { wrapSpanContext(of: object): unknown; setSpan(context: unknown, span: unknown): unknown };
}

/** A busy machine is no reason to make calls before anything is known. */
const PATIENT = { firstAnswerMs: 60_000 };

/** A program and the client it is connected with; no two have a tag, or a run, in common. */
async function begin(library: Library, directions: string[] = [], given: ClientOptions = {}) {
  if (load === null) throw new Error('nothing to load');
  const tag = crypto.randomUUID();
  const zw = createClient({
    baseUrl: service.baseUrl,
    key: 'k',
    agent: `matrix/${tag}`,
    guard: PATIENT,
    ...given,
  });
  const program = await library.start(load, fake.url(tag, ...directions), zw);
  const plain = () => library.start(load as NonNullable<typeof load>, fake.url(tag, ...directions), null);
  return { tag, zw, program, plain };
}

async function eventsOf(zw: ConnectedClient, tag: string): Promise<Ereignis[]> {
  await zw.shutdown();
  return service.events.filter(({ agent }) => agent === `matrix/${tag}`);
}

async function collect(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** What an error says at its end, however the library has wrapped it. */
function causesOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

/** A stream to its end or its error; the AI SDK tells of errors within it. */
async function streamed(
  program: Program,
  onPart: () => void = () => undefined,
): Promise<{ parts: unknown[]; error: unknown }> {
  const parts: unknown[] = [];
  try {
    for await (const part of await program.stream()) {
      parts.push(part);
      onPart();
      const { type, error } = part as { type?: string; error?: unknown };
      if (type === 'error') return { parts, error };
    }
    return { parts, error: null };
  } catch (error) {
    return { parts, error };
  }
}

describe.skipIf(load === null).each(LIBRARIES.map((library) => [library.name, library] as const))(
  '%s',
  (_name, library) => {
    test('every call of a run counts once, with the counts that are true', async () => {
      const { tag, zw, program } = await begin(library);
      await zw.run({ endkunde: 'K-17', funktion: 'antwort' }, async () => {
        await program.json();
        await collect(await program.stream());
        await failureOf(program.tool());
      });
      const events = await eventsOf(zw, tag);
      expectTrue(events, fake.truth(tag));
      expect(new Set(events.map(({ lauf_id }) => lauf_id)).size).toBe(1);
      expect(events.map(({ schritt_nr }) => schritt_nr)).toEqual([1, 2, 3]);
      for (const event of events)
        expect(event).toMatchObject({ endkunde_ref: 'K-17', funktion_ref: 'antwort' });
      for (const event of events) expect(event.prompt_fingerabdruck).toMatch(/^[0-9a-f]{16}$/);
      expect(events[2]?.werkzeug_fingerabdruck).toMatch(/^[0-9a-f]{16}$/);
    });

    test('a stream brings the caller what it brings without being connected', async () => {
      const { program, plain } = await begin(library);
      const kinds = (parts: unknown[]) =>
        parts.map((part) =>
          Object.keys(part as object)
            .sort()
            .join(),
        );
      expect(kinds(await collect(await program.stream()))).toEqual(
        kinds(await collect(await (await plain()).stream())),
      );
    });

    test('attempts that were refused count as failed, the one that was answered as a call', async () => {
      const { tag, zw, program } = await begin(library, ['fail=429x1']);
      const failure = await failureOf(program.json());
      const events = await eventsOf(zw, tag);
      expect(failure === null).toBe(library.retries);
      expect(events.map(({ status }) => status)).toEqual(
        library.retries ? ['fehler', 'erfolgreich'] : ['fehler'],
      );
      expect(events[0]?.fehlercode).not.toBeNull();
      if (library.retries) expectTrue(events.slice(1), fake.truth(tag).slice(1));
    });

    test.each([400, 500])(
      'a refusal with %i reaches the caller as without being connected',
      async (status) => {
        const { zw, tag, program, plain } = await begin(library, [`fail=${status}`]);
        const failure = (await failureOf(program.json())) as Error;
        const before = fake.truth(tag).length;
        const same = (await failureOf((await plain()).json())) as Error;
        expect([failure.constructor.name, failure.message]).toEqual([same.constructor.name, same.message]);
        expect(fake.truth(tag).length - before).toBe(before);
        const events = await eventsOf(zw, tag);
        expect(events).toHaveLength(before);
        for (const event of events) expect(event).toMatchObject({ status: 'fehler' });
      },
    );

    test('a stream that the caller ends is estimated from what passed', async () => {
      const { tag, zw, program } = await begin(library, ['slow=15', 'words=60']);
      const ends = new AbortController();
      const seen: unknown[] = [];
      await failureOf(
        (async () => {
          for await (const part of await program.stream(ends.signal)) {
            seen.push(part);
            if (seen.length === 12) ends.abort();
          }
        })(),
      );
      await expect.poll(() => fake.truth(tag)[0]?.complete).toBe(false);
      const [event, ...more] = await eventsOf(zw, tag);
      expect(more).toEqual([]);
      expect(event?.geschaetzt ?? false).toBe(!library.countsAsItGoes);
      expect(event?.ausgabe_token).toBeGreaterThan(0);
      expect(event?.ausgabe_token).toBeLessThan(150);
      expect(event?.eingabe_token).toBeGreaterThan(0);
    });

    test('errors on the way of a stream are those of the library', async () => {
      const { zw, tag, program, plain } = await begin(library, ['upset']);
      const { error } = await streamed(program);
      const { error: same } = await streamed(await plain());
      expect((error as Error | null)?.constructor.name).toBe((same as Error | null)?.constructor.name);
      expect((error as Error | null)?.message).toBe((same as Error | null)?.message);
      expect(await eventsOf(zw, tag)).toHaveLength(1);
    });

    test('what is connected twice counts once', async () => {
      const { tag, zw } = await begin(library, ['fail=429x1']);
      const twice: Connecting = {
        wrap: (client) => zw.wrap(zw.wrap(client)),
        zaehlwerkMiddleware: () => [zw.zaehlwerkMiddleware(), zw.zaehlwerkMiddleware()],
      };
      const program = await library.start(
        load as NonNullable<typeof load>,
        fake.url(tag, 'fail=429x1'),
        twice,
      );
      await failureOf(program.json());
      await collect(await program.stream());
      expect(await eventsOf(zw, tag)).toHaveLength(fake.truth(tag).length);
    });

    test('while nothing is known, calls pass, or are refused, as is set', async () => {
      const unreachable = { baseUrl: 'http://127.0.0.1:1', bufferDirectory: false } as const;
      const open = await begin(library, [], unreachable);
      await open.program.json();
      expect(fake.truth(open.tag)).toHaveLength(1);
      const closed = await begin(library, [], { ...unreachable, guard: { ...PATIENT, failure: 'closed' } });
      expect(await failureOf(closed.program.json())).toBeInstanceOf(InterventionsUnknown);
      expect(fake.truth(closed.tag)).toEqual([]);
      await Promise.all([open.zw.shutdown(1), closed.zw.shutdown(1)]);
    });

    test('a call that is forbidden reaches nobody, and its caller gets the reason as it is', async () => {
      const { tag, zw, program } = await begin(library);
      await program.json();
      service.put({ objekt_art: 'agent', objekt: `matrix/${tag}` });
      await expect.poll(() => zw.guardState().eingriffe.length).toBe(1);
      const { error: inStream } = await streamed(program);
      const failures = [await failureOf(program.json()), await failureOf(program.tool()), inStream];
      for (const failure of failures) expect(failure).toBeInstanceOf(StoppedByIntervention);
      expect(fake.truth(tag)).toHaveLength(1);
      expect(await eventsOf(zw, tag)).toHaveLength(1);
      service.put();
    });

    test('a call that is slowed down waits, and is made once it may be', async () => {
      const { tag, zw, program, plain } = await begin(library, [], {
        guard: { ...PATIENT, throttleMs: 600_000, maxThrottleMs: 600_000 },
      });
      await zw.guard({ agent: 'nobody' });
      service.put({ stufe: 'drosseln', objekt_art: 'agent', objekt: `matrix/${tag}` });
      await expect.poll(() => zw.guardState().eingriffe.length).toBe(1);
      const waiting = program.json();
      // One that is not connected and begins later is answered in the meantime.
      await (await plain()).json();
      expect(fake.truth(tag)).toHaveLength(1);
      service.put();
      await waiting;
      expect(fake.truth(tag)).toHaveLength(2);
      expect(await eventsOf(zw, tag)).toMatchObject([{ status: 'erfolgreich' }]);
    });

    test('a stream under way ends with an error when its run is stopped', async () => {
      const { tag, zw, program } = await begin(library, ['slow=20', 'words=2000']);
      const lauf_id = crypto.randomUUID();
      let seen = 0;
      // The AI SDK says that it begins before it does.
      const stop = () => {
        seen += 1;
        if (seen === 6) service.put({ stufe: 'anhalten', objekt_art: 'lauf', objekt: lauf_id });
      };
      const { parts, error } = await zw.run({ lauf_id }, () => streamed(program, stop));
      service.put();
      expect(error).toBeInstanceOf(Error);
      expect(JSON.stringify(causesOf(error).map((each) => `${each} ${JSON.stringify(each)}`))).toContain(
        'anhalten',
      );
      expect(parts.length).toBeGreaterThan(0);
      expect(fake.truth(tag)).toMatchObject([{ complete: false }]);
      const events = await eventsOf(zw, tag);
      expect(events).toMatchObject([{ status: 'fehler', fehlercode: 'eingriff', lauf_id }]);
    });
  },
);

test.skipIf(load === null).each([6, 7])(
  'embeddings of ai %i count as the provider counts them',
  async (major) => {
    const tag = crypto.randomUUID();
    const zw = createClient({ baseUrl: service.baseUrl, key: 'k', agent: `matrix/${tag}`, guard: PATIENT });
    await zw.run({}, () => embedWithAiSdk(load as NonNullable<typeof load>, major, fake.url(tag), zw));
    const events = await eventsOf(zw, tag);
    expect(events).toMatchObject([{ anbieter: 'openai', schritt_nr: 1, ausgabe_token: 0 }]);
    expectTrue(events, fake.truth(tag));
  },
);

test.skipIf(load === null)(
  "the span that is active by OpenTelemetry's own API says which run it is",
  async () => {
    const { context, trace } = (await (load as NonNullable<typeof load>)(
      '@opentelemetry/api',
    )) as OpenTelemetry;
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const span = trace.wrapSpanContext({ traceId, spanId: 'b7ad6b7169203331', traceFlags: 1 });
    const active = trace.setSpan(context.active(), span);
    context.setGlobalContextManager({
      active: () => active,
      with: (_context: unknown, work: () => unknown) => work(),
      bind: (_context: unknown, target: unknown) => target,
      enable: () => undefined,
      disable: () => undefined,
    });
    const tag = crypto.randomUUID();
    const zw = createClient({ baseUrl: service.baseUrl, key: 'k', agent: `matrix/${tag}`, guard: PATIENT });
    const asked = { method: 'POST', body: JSON.stringify({ model: 'm', input: 'How hot?' }) };
    await zw.run({}, async () => (await zw.instrument()(`${fake.url(tag)}/v1/embeddings`, asked)).text());
    context.disable();
    expect(await eventsOf(zw, tag)).toMatchObject([{ lauf_id: '0af76519-16cd-43dd-8448-eb211c80319c' }]);
  },
);
