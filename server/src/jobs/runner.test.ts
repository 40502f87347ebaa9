/** Each job is run until it is done or given up, whatever happens to who runs it. */
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MandantId } from '#kernel/mandant-id.ts';
import { createJobsBench, type JobsBench, newMandant, watchPutOff } from '#test/jobs.ts';
import { until } from '#test/until.ts';
import { enqueueFor } from './enqueue.ts';
import { GiveUp } from './failure.ts';
import { type Call, defineJob, handle } from './job.ts';
import { olderPayload } from './payload.ts';
import { CLAIM_SECONDS } from './store.ts';

const payload = Type.Object({ nr: Type.Integer() });
const kind = defineJob({
  id: 'test.auftrag',
  version: 2,
  payload,
  older: { 1: olderPayload(Type.Object({ nummer: Type.Integer() }), ({ nummer }) => ({ nr: nummer })) },
  retry: { first: 10, longest: 35, attempts: 5 },
});
type Auftrag = Call<{ nr: number }>;

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());
beforeEach(async () => {
  await bench.sql('DELETE FROM auftraege');
  bench.observed.length = 0;
});

const put = (mandant: MandantId, nr: number) =>
  bench.owner.transaction((client) => enqueueFor(client, mandant, kind, { nr }));
const makeDue = () => bench.sql('UPDATE auftraege SET faellig_am = now()');
interface Row {
  versuche: number;
  fehler: string | null;
  aufgegeben: boolean;
  /** Until the next attempt. */
  sekunden: number;
}
const rows = () =>
  bench.sql<Row>(
    `SELECT versuche, fehler, aufgegeben_am IS NOT NULL AS aufgegeben,
       extract(epoch FROM faellig_am - now())::float8 AS sekunden FROM auftraege`,
  );
const outcomes = () => bench.observed.map((each) => each.kind === 'job' && each.outcome);
const failing = (error: unknown = new Error('kaputt')) =>
  bench.runner(handle(kind, () => Promise.reject(error)));

test('a job is run once with what it was given, and is gone', async () => {
  const calls: Auftrag[] = [];
  const mandant = newMandant();
  await put(mandant, 7);
  const runner = bench.runner(
    handle(kind, async (call) => {
      calls.push(call);
      return {};
    }),
  );
  expect(await runner.runDue()).toBe(1);
  expect(await runner.runDue()).toBe(0);
  expect(calls).toEqual([{ mandant, payload: { nr: 7 }, attempt: 1, previousError: null }]);
  expect(await rows()).toEqual([]);
  expect(bench.observed).toEqual([
    { kind: 'job', job: 'test.auftrag', outcome: 'done', seconds: expect.any(Number) },
  ]);
});

test('the claim is committed before the work begins: nobody else takes it, and a crash leaves a trace', async () => {
  await put(newMandant(), 1);
  const other = bench.runner(handle(kind, () => Promise.reject(new Error('taken twice'))));
  const putOff = await watchPutOff(bench);
  const runner = bench.runner(
    handle(kind, async () => {
      expect(await rows()).toMatchObject([{ versuche: 1, aufgegeben: false }]);
      const { least, most } = await putOff();
      expect(least).toBeLessThanOrEqual(CLAIM_SECONDS);
      expect(most).toBeGreaterThanOrEqual(CLAIM_SECONDS);
      await other.runDue();
      return {};
    }),
  );
  expect(await runner.runDue()).toBe(1);
  expect(outcomes()).toEqual(['done']);
});

describe('a job that fails', () => {
  test('is tried again after growing pauses, then becomes a dead letter with the reason', async () => {
    await put(newMandant(), 1);
    const runner = failing();
    for (const [attempt, pause] of [10, 20, 35, 35].entries()) {
      const putOff = await watchPutOff(bench);
      expect(await runner.runDue()).toBe(0);
      const { least, most } = await putOff();
      expect(least).toBeLessThanOrEqual(pause);
      expect(most).toBeGreaterThanOrEqual(pause);
      expect(await rows()).toMatchObject([{ versuche: attempt + 1, fehler: 'kaputt', aufgegeben: false }]);
      // Not before its time.
      await runner.runDue();
      expect(outcomes()).toHaveLength(attempt + 1);
      await makeDue();
    }
    await runner.runDue();
    expect(await rows()).toMatchObject([{ versuche: 5, fehler: 'kaputt', aufgegeben: true }]);
    await makeDue();
    await runner.runDue();
    expect(outcomes()).toEqual(['failed', 'failed', 'failed', 'failed', 'given_up']);
    expect(bench.logged('job given up')).toMatchObject([{ level: 'error', job: 'test.auftrag', attempt: 5 }]);
  });

  test('tells the next attempt why', async () => {
    await put(newMandant(), 1);
    await failing(new AggregateError([new Error('eins'), 'zwei'], 'beide')).runDue();
    await makeDue();
    const seen: unknown[] = [];
    await bench
      .runner(
        handle(kind, async ({ attempt, previousError }) => {
          seen.push(attempt, previousError);
          return {};
        }),
      )
      .runDue();
    expect(seen).toEqual([2, 'beide; eins; zwei']);
  });

  test('and says that this will not change, is given up at once', async () => {
    await put(newMandant(), 1);
    await failing(new GiveUp('sinnlos')).runDue();
    expect(await rows()).toMatchObject([{ versuche: 1, fehler: 'sinnlos', aufgegeben: true }]);
  });

  test('may give any reason', async () => {
    await put(newMandant(), 1);
    await failing(`nul\0 ${'x'.repeat(10_000)}`).runDue();
    expect((await rows())[0]?.fehler).toMatch(/^nul {2}x{1995}$/);
  });
});

describe('a payload', () => {
  const putRaw = (fassung: number, nutzlast: object) =>
    bench.sql(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast)
       VALUES (gen_random_uuid(), gen_random_uuid(), 'test.auftrag', $1, $2)`,
      [fassung, nutzlast],
    );
  const seen: number[] = [];
  const runner = () =>
    bench.runner(
      handle(kind, async ({ payload: { nr } }) => {
        seen.push(nr);
        return {};
      }),
    );

  test('of the version before an upgrade is read as one of today', async () => {
    await putRaw(1, { nummer: 5 });
    expect(await runner().runDue()).toBe(1);
    expect(seen).toEqual([5]);
  });

  test.each([
    [0, { n: 1 }, 'payloads of version 0 are not read any more; this is 2'],
    [1, { n: 1 }, 'the payload is not one of version 1'],
    [2, { nr: 'eins' }, 'the payload is not one of version 2'],
  ])(
    'that nobody can read becomes a dead letter that says so: version %i',
    async (fassung, nutzlast, why) => {
      await putRaw(fassung, nutzlast);
      expect(await runner().runDue()).toBe(0);
      expect(await rows()).toMatchObject([{ versuche: 1, fehler: why, aufgegeben: true }]);
    },
  );

  test('of a later version waits for an instance that knows it', async () => {
    await putRaw(3, { nr: 1 });
    await runner().runDue();
    expect(await rows()).toMatchObject([{ versuche: 0, aufgegeben: false }]);
  });
});

describe('a process that dies', () => {
  test('leaves its job to another once the claim has lapsed', async () => {
    await put(newMandant(), 1);
    await bench.sql(`UPDATE auftraege SET versuche = 1, faellig_am = now() + interval '10 seconds'`);
    const runner = bench.runner(handle(kind, async () => ({})));
    expect(await runner.runDue()).toBe(0);
    await makeDue();
    expect(await runner.runDue()).toBe(1);
  });

  test('does not die of the same job for ever', async () => {
    await put(newMandant(), 1);
    await bench.sql(`UPDATE auftraege SET versuche = 5, faellig_am = now()`);
    const runner = bench.runner(handle(kind, () => Promise.reject(new Error('must not run'))));
    await runner.runDue();
    expect(await rows()).toMatchObject([
      { fehler: 'the last attempt ended without an outcome', aufgegeben: true },
    ]);
  });

  test('is not one that takes long: its claim is prolonged while it works', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      await put(newMandant(), 1);
      const runner = bench.runner(
        handle(kind, async () => {
          await bench.sql(`UPDATE auftraege SET faellig_am = now() + interval '1 second'`);
          vi.advanceTimersByTime(CLAIM_SECONDS * 1_000 - 1);
          await until('the claim to be prolonged', async () => ((await rows())[0]?.sekunden ?? 0) > 5);
          return {};
        }),
      );
      expect(await runner.runDue()).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('or was only held up changes nothing of the attempt that came after its own', async () => {
    await put(newMandant(), 1);
    const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = bench.runner(
      handle(kind, async () => {
        entered.resolve();
        await gate.promise;
        return {};
      }),
    );
    const held = slow.runDue();
    await entered.promise;
    await makeDue();
    await failing().runDue();
    gate.resolve();
    await held;
    // The later attempt has failed, so the job must still be there.
    expect(await rows()).toMatchObject([{ versuche: 2, fehler: 'kaputt', aufgegeben: false }]);
  });
});

describe('several processes', () => {
  test('share the work: each job is run once', async () => {
    const done: number[] = [];
    const mandanten = Array.from({ length: 5 }, newMandant);
    for (let nr = 0; nr < 60; nr += 1) await put(mandanten[nr % 5] as MandantId, nr);
    const job = handle(kind, async ({ payload: { nr } }) => {
      done.push(nr);
      return {};
    });
    await Promise.all([job, job, job].map((each) => bench.runner(each).runDue()));
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, nr) => nr));
  });

  test('run no more at a time in each than the job allows', async () => {
    const two = defineJob({ id: 'test.zwei', version: 1, payload, concurrency: 2 });
    await bench.owner.transaction(async (client) => {
      for (let nr = 0; nr < 12; nr += 1) await enqueueFor(client, newMandant(), two, { nr });
    });
    const both = Promise.withResolvers<void>();
    let [now, most] = [0, 0];
    await bench
      .runner(
        handle(two, async () => {
          now += 1;
          most = Math.max(most, now);
          if (now === 2) both.resolve();
          await both.promise;
          await bench.sql('SELECT 1');
          now -= 1;
          return {};
        }),
      )
      .runDue();
    expect(most).toBe(2);
  });
});

describe('a job that is given up', () => {
  test('is handled before it is a dead letter, again where that failed', async () => {
    const mandant = newMandant();
    await put(mandant, 3);
    const told: unknown[] = [];
    let works = false;
    const runner = bench.runner(
      handle(
        kind,
        () => Promise.reject(new GiveUp('nie')),
        async (call) => {
          told.push(call);
          if (!works) throw new Error('weg');
        },
      ),
    );
    await runner.runDue();
    expect(await rows()).toMatchObject([{ aufgegeben: false }]);
    works = true;
    await makeDue();
    await runner.runDue();
    expect(await rows()).toMatchObject([{ aufgegeben: true, fehler: 'nie' }]);
    expect(told).toEqual([
      { mandant, payload: { nr: 3 } },
      { mandant, payload: { nr: 3 } },
    ]);
  });

  test('with a payload that nobody can read is a dead letter without being told of', async () => {
    await put(newMandant(), 1);
    await bench.sql(`UPDATE auftraege SET nutzlast = '{"fremd": 1}'`);
    const givenUp = vi.fn();
    await bench.runner(handle(kind, async () => ({}), givenUp)).runDue();
    expect(await rows()).toMatchObject([{ aufgegeben: true }]);
    expect(givenUp).not.toHaveBeenCalled();
  });
});
