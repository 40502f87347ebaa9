/**
 * What is out of the ordinary: pure decisions over sums of a period and of the times it is compared with. Thresholds are
 * compared as floats, amounts that are shown are exact.
 */
import { centsText, type Eur, eurFrom, toCents } from '#kernel/money.ts';
import type { SumsRow } from './groups.ts';

/** What one value of a dimension came to, now and at each of the times to compare with. */
export interface Compared {
  schluessel: string;
  now: SumsRow;
  /** Null where there was no call of this value. */
  before: (SumsRow | null)[];
}

const number = (text: string | null | undefined) => Number(text ?? 0);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const JUMP = { times: 1.5, shareOfAll: 1 / 20 };
const BURST = { failures: 10, share: 1 / 10, times: 3 };
/** A run this dear compared with all calls is worth a look. */
const DEAR_RUN = 1 / 30;
/** Below this, in EUR, no amount is worth a look, whatever its share: a newcomer's first run is most of all cost. */
const LEAST = 0.5;

/** By how much more than usual it cost, in EUR; null where that is nothing to speak of. `total`: the cost of all calls. */
export function jumpOf({ now, before }: Compared, total: string | null): number | null {
  if (before.length === 0) return null;
  const cost = number(now.kosten_eur);
  const usual = mean(before.map((sums) => number(sums?.kosten_eur)));
  const more = cost - usual;
  return cost >= JUMP.times * usual && more >= LEAST && more >= JUMP.shareOfAll * number(total) ? more : null;
}

const failureShare = (sums: SumsRow | null) => (sums ? number(sums.fehler) / number(sums.aufrufe) : 0);

/** Whether calls failed far more often than they do. */
export function isBurst({ now, before }: Compared): boolean {
  const share = failureShare(now);
  const usual = mean([...before.map(failureShare), ...(before.length === 0 ? [0] : [])]);
  return number(now.fehler) >= BURST.failures && share >= BURST.share && share >= BURST.times * usual;
}

export const isDear = (run: string | null, total: string | null): boolean =>
  number(run) >= LEAST && number(run) >= DEAR_RUN * number(total);

/** What was usual, to the cent (half-up); null where there is nothing to compare with. */
export function usualCost(before: Compared['before']): string | null {
  if (before.length === 0) return null;
  const sum = before.reduce((total, sums) => total + (eurFrom(sums?.kosten_eur ?? '0') as bigint), 0n);
  return centsText(toCents((sum / BigInt(before.length)) as Eur));
}
