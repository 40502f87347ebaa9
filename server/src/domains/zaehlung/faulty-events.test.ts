import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FUTILE, findFaulty, MOST_TRIALS } from './faulty-events.ts';

/** Tries parts of `count` events, of which these cannot be counted; with the number of trials and of events tried. */
async function find(count: number, faulty: readonly number[], futile?: number) {
  const bad = new Set(faulty);
  const tried: number[] = [];
  const found = await findFaulty(
    Array.from({ length: count }, (_, event) => event),
    async (events) => {
      expect(events.length).toBeGreaterThan(0);
      tried.push(events.length);
      return events.find((event) => bad.has(event)) ?? null;
    },
    futile,
  );
  return { found, trials: tried.length, work: tried.reduce((sum, events) => sum + events, 0) };
}

test('finds exactly the events at fault, in a bounded number of trials', async () => {
  const batch = fc.integer({ min: 2, max: 10_000 }).chain((count) =>
    fc.record({
      count: fc.constant(count),
      faulty: fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: Math.min(4, count - 1) }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(batch, async ({ count, faulty }) => {
      const { found, trials } = await find(count, faulty);
      expect(found?.events.toSorted((a, b) => a - b)).toEqual(faulty.toSorted((a, b) => a - b));
      expect(faulty).toContain(found?.reason);
      expect(trials).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(count)) * faulty.length);
    }),
  );
});

test('one among 10,000, wherever it is, takes 28 trials, which try less than three times as many events', async () => {
  for (const event of [0, 1, 4_999, 5_000, 9_999]) {
    const { found, trials, work } = await find(10_000, [event]);
    expect(found).toEqual({ events: [event], reason: event });
    expect(trials).toBeLessThanOrEqual(28);
    expect(work).toBeLessThan(30_000);
  }
});

test('is found, too, where little is tried because nothing could be counted of the batch before', async () => {
  for (const event of [0, 700, 999]) expect((await find(1_000, [event], 2)).found?.events).toEqual([event]);
});

test('gives up where nothing can be counted', async () => {
  const all = Array.from({ length: 10_000 }, (_, event) => event);
  const { found, trials } = await find(10_000, all);
  expect(found).toBeNull();
  expect(trials).toBeLessThanOrEqual(FUTILE + 1);
  expect((await find(10_000, all, 2)).trials).toBe(2);
});

test('takes what is untried in the end for faulty, and leaves what was found good', async () => {
  const faulty = Array.from({ length: 300 }, (_, index) => index * 30);
  const { found, trials, work } = await find(10_000, faulty);
  expect(trials).toBeLessThanOrEqual(MOST_TRIALS + 1);
  expect(work).toBeLessThan(100_000);
  const events = new Set(found?.events);
  expect(faulty.every((event) => events.has(event))).toBe(true);
  expect(events.size).toBeLessThan(10_000);
});

test('is no matter of events where each part can be counted alone', async () => {
  const found = await findFaulty([1, 2, 3, 4], async () => null);
  expect(found).toBeNull();
});
