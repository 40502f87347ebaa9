/** A clock that is ahead, jumps or begins in the wrong year makes no time pass for what is removed for good. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createJobsBench, type JobsBench } from '#test/jobs.ts';
import { createClockLook, passedBefore } from './passed-time.ts';

const DAY = 86_400_000;

let bench: JobsBench;
/** The clock of the tests, which goes on only as they say. */
const NOW = Date.parse('2026-11-20T10:00:00Z');
/** Milliseconds that the wall clock, which is also that of the database, has gone beyond it. */
let ahead = 0;
let steady = 0;
beforeEach(async () => {
  [ahead, steady] = [0, 0];
  bench = await createJobsBench();
  await bench.sql('UPDATE uhrstand SET gesehen_am = NULL, vergangen_bis = NULL');
});
afterEach(() => bench.stop());

/** The database with its clock moved. */
const moved = (): JobsBench['owner'] => ({
  ...bench.owner,
  query: (text, values) =>
    bench.owner.query(
      String(text).replaceAll('clock_timestamp()', `timestamptz '${new Date(NOW + ahead).toISOString()}'`),
      values,
    ),
});
/** Real time goes by, and the clock with it. */
const wait = (ms: number) => {
  ahead += ms;
  steady += ms;
};
/** Days between now, as the clock has it, and what has certainly passed; null while nothing has. */
const daysBehind = async (): Promise<number | null> => {
  const passed = await passedBefore(moved(), 0);
  return passed && Math.round((NOW + ahead - passed.getTime()) / DAY);
};

/** A process that looks with the clock as it is at each look. */
function running(): () => Promise<void> {
  const clocks = { steady: () => steady, wall: () => NOW + ahead };
  return createClockLook(moved(), clocks);
}

test('a time has passed once a day later nothing says otherwise', async () => {
  const look = running();
  await look();
  wait(DAY - 60_000);
  await look();
  expect(await daysBehind()).toBeNull();
  wait(120_000);
  await look();
  expect(await daysBehind()).toBe(1);
  for (let hours = 0; hours < 24 * 5; hours += 1) {
    wait(DAY / 24);
    await look();
    const behind = (NOW + ahead - ((await passedBefore(moved(), 0)) as Date).getTime()) / DAY;
    expect(behind).toBeGreaterThan(0.99);
    expect(behind).toBeLessThan(2.1);
  }
});

test.each([
  ['in the same process', false],
  ['before it has started', true],
])('a clock that is a month ahead for a while, %s, makes nothing pass', async (_when, restarts) => {
  let look = running();
  await look();
  wait(2 * DAY);
  await look();
  const before = await passedBefore(moved(), 0);
  ahead += 31 * DAY;
  if (restarts) look = running();
  await look();
  wait(75_000);
  await look();
  const meanwhile = (await passedBefore(moved(), 0)) as Date;
  expect(meanwhile.getTime() - (before as Date).getTime()).toBeLessThan(2 * DAY + 100_000);
  ahead -= 31 * DAY;
  if (restarts) look = running();
  await look();
  wait(DAY + 1_000);
  await look();
  expect(await daysBehind()).toBe(1);
});

test('one that jumps again and again has a whole day to be looked at each time', async () => {
  const look = running();
  await look();
  for (let jumps = 0; jumps < 5; jumps += 1) {
    ahead += 31 * DAY;
    await look();
    wait(60_000);
    await look();
  }
  expect(await daysBehind()).toBeNull();
});

test('a machine that begins in the wrong year, and is set right, has nothing passed', async () => {
  ahead = 4 * 365 * DAY;
  const look = running();
  await look();
  wait(60_000);
  ahead -= 4 * 365 * DAY;
  await look();
  wait(DAY + 1_000);
  await look();
  expect(await daysBehind()).toBe(1);
});

test('what was taken as passed by a clock that was wrong for days is taken back', async () => {
  ahead = 100 * DAY;
  const look = running();
  await look();
  wait(2 * DAY);
  await look();
  expect(await daysBehind()).toBe(2);
  ahead -= 100 * DAY;
  await look();
  expect(await daysBehind()).toBe(0);
});

test('while the clock of the database differs from ours nothing passes', async () => {
  const look = createClockLook(bench.owner, { steady: () => steady, wall: () => Date.now() + 60_000 });
  await look();
  await bench.sql(`UPDATE uhrstand SET gesehen_am = gesehen_am - interval '3 days'`);
  await look();
  expect(await passedBefore(bench.owner, 0)).toBeNull();
});
