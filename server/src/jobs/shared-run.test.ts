/** Who asks at the same time shares one run, whichever process does it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createJobsBench, type JobsBench } from '#test/jobs.ts';
import { type Counters, runShared, runSince } from './shared-run.ts';

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench.stop());
beforeEach(() => bench.sql('DELETE FROM pruefungen'));

const NAME = 'test.pruefen';
let runs = 0;
beforeEach(() => {
  runs = 0;
});
const run = async (counters: Counters) => {
  runs += 1;
  counters.runs = runs;
};
const age = (interval: string) =>
  bench.sql('UPDATE pruefungen SET begonnen_am = begonnen_am - $1::interval', [interval]);
const state = async () =>
  (
    await bench.sql('SELECT beendet_am IS NOT NULL AS ended, zaehler FROM pruefungen WHERE name = $1', [NAME])
  )[0];
const dbNow = async () =>
  (await bench.sql<{ now: string }>('SELECT clock_timestamp()::text AS now'))[0]?.now as string;

test('a run notes what it counted, also when it fails', async () => {
  expect(await runShared(bench.owner, NAME, run)).toEqual({ runs: 1 });
  expect(await state()).toEqual({ ended: true, zaehler: { runs: 1 } });
  await age('5 seconds');
  const failing = runShared(bench.owner, NAME, async (counters) => {
    counters.seen = 3;
    throw new Error('half way');
  });
  await expect(failing).rejects.toThrow('half way');
  expect(await state()).toEqual({ ended: true, zaehler: { seen: 3 } });
});

test('none begins within five seconds of another, nor beside one; but beside one that died', async () => {
  await runShared(bench.owner, NAME, async () => {
    await age('1 minute');
    expect(await runShared(bench.owner, NAME, run)).toBeNull();
  });
  // The first did not note its end: it is another by its beginning.
  expect(await state()).toMatchObject({ ended: false });
  expect(await runShared(bench.owner, NAME, run)).toBeNull();
  await age('4 minutes');
  expect(await runShared(bench.owner, NAME, run)).toEqual({ runs: 1 });
  expect(await runShared(bench.owner, NAME, run)).toBeNull();
});

test('all who asked before it began share it', async () => {
  const asked = await dbNow();
  const answers = await Promise.all(Array.from({ length: 3 }, () => runSince(bench.owner, NAME, asked, run)));
  expect(runs).toBe(1);
  expect(answers.filter((answer) => answer !== null)).toEqual([{ runs: 1 }]);
});

test('who asks after it began has another, once there may be one', async () => {
  await runShared(bench.owner, NAME, run);
  await age('4 seconds');
  expect(await runSince(bench.owner, NAME, await dbNow(), run)).toEqual({ runs: 2 });
});
