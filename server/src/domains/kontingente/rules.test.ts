import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secondsOf, timeOf, waitFor } from './rules.ts';

/** Of larger ones a single event is less than rounding. */
const limits = fc.integer({ min: 1, max: 10_000_000 });

describe('a quota', () => {
  test('has room for as many at once as it allows in a minute, and for no more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (perMinute) => {
        let rest = 0;
        for (let used = 0; used < perMinute; used += 1) {
          expect(waitFor(rest, perMinute)).toBe(0);
          rest += timeOf(1, perMinute);
        }
        expect(waitFor(rest, perMinute)).toBeGreaterThan(0);
      }),
    );
  });

  test('has room again after the wait, and not before', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 20_000 }), (perMinute, amount) => {
        const rest = timeOf(perMinute, perMinute) + timeOf(amount, perMinute);
        const wait = waitFor(rest, perMinute);
        expect(wait).toBeGreaterThan(0);
        expect(waitFor(rest - wait, perMinute)).toBe(0);
        expect(waitFor(rest - wait / 2, perMinute) > 0 || wait < 0.01).toBe(true);
      }),
    );
  });

  test('lets no more through in the long run than it allows, however large batches are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 50, maxLength: 50 }),
        (perMinute, batches) => {
          let rest = 0;
          let elapsed = 0;
          let taken = 0;
          for (const events of batches) {
            const wait = waitFor(rest, perMinute);
            elapsed += wait;
            rest = Math.max(0, rest - wait) + timeOf(events, perMinute);
            taken += events;
          }
          const last = batches.at(-1) as number;
          expect(taken - last).toBeLessThanOrEqual(perMinute + (elapsed / 60_000) * perMinute + 0.01);
        },
      ),
    );
  });

  test('tells whole seconds, at least one', () => {
    expect([0.5, 999, 1_000, 1_001, 60_000].map(secondsOf)).toEqual([1, 1, 1, 2, 60]);
  });
});
