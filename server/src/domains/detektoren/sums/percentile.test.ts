import { expect, test } from 'vitest';
import { STEP_BOUNDS, STEP_DIGITS } from '#domains/verbrauch/index.ts';
import { countsOf, percentile95 } from './percentile.ts';

/** A histogram as counting keeps it: one number, twelve digits a step. */
const histogram = (latencies: number[]): bigint =>
  latencies.reduce(
    (sum, ms) => sum + 10n ** BigInt(STEP_DIGITS * STEP_BOUNDS.filter((bound) => bound <= ms).length),
    0n,
  );

test('reads the calls of each step', () => {
  const counts = countsOf(histogram([5, 16, 17, 3_000_000, 9_000_000]));
  expect([counts[0], counts[1], counts.at(-1)]).toEqual([1, 2, 1]);
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(5);
});

test('lies within the step of the call whose rank it is', () => {
  for (const latencies of [[1_000], Array.from({ length: 100 }, (_, index) => index * 37), [10, 20, 8_000]]) {
    const sorted = [...latencies].sort((a, b) => a - b);
    const exact = sorted[Math.ceil(sorted.length * 0.95) - 1] as number;
    const found = percentile95(histogram(latencies));
    expect(found?.aufrufe).toBe(latencies.length);
    expect(Math.max(found?.ms ?? 0, 16) / Math.max(exact, 16)).toBeGreaterThan(0.7);
    expect(Math.max(found?.ms ?? 0, 16) / Math.max(exact, 16)).toBeLessThan(1.43);
  }
  expect(percentile95(0n)).toBeNull();
});
