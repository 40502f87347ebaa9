/** Percentiles of the histograms that sums carry. No input or output here. */
import { STEP_BOUNDS, STEP_DIGITS, STEPS } from '#domains/verbrauch/index.ts';

const STEP = 10n ** BigInt(STEP_DIGITS);
/** What is slower than the last bound is taken as no slower than this: an hour and a quarter. */
const SLOWEST = 4_500_000;

/** Calls in each step of a histogram. */
export function countsOf(histogram: bigint): number[] {
  const counts: number[] = [];
  let rest = histogram;
  for (let step = 0; step < STEPS; step += 1) {
    counts.push(Number(rest % STEP));
    rest /= STEP;
  }
  return counts;
}

export interface Percentile {
  ms: number;
  aufrufe: number;
  /** In which step it lies: from `low` to below `high`; the call is the one at `place` (from 0) among those of the step, by how long they took. */
  low: number;
  high: number;
  place: number;
}

/**
 * The 95th percentile in whole milliseconds and the number of calls: what the call whose rank is 95 % of all took, calls of one step
 * lying evenly between its bounds. Null without a call.
 */
export function percentile95(histogram: bigint): Percentile | null {
  const counts = countsOf(histogram);
  const aufrufe = counts.reduce((sum, each) => sum + each, 0);
  if (aufrufe === 0) return null;
  const rank = Math.ceil((aufrufe * 95) / 100);
  let before = 0;
  for (const [step, each] of counts.entries()) {
    if (before + each >= rank) {
      const low = step === 0 ? 0 : (STEP_BOUNDS[step - 1] as number);
      const high = STEP_BOUNDS[step] ?? SLOWEST;
      const ms = Math.round(low + ((high - low) * (rank - before)) / each);
      return { ms, aufrufe, low, high, place: rank - before - 1 };
    }
    before += each;
  }
  throw new Error('no call has the rank');
}
