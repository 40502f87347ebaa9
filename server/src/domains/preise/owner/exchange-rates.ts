/** USD to EUR: the ECB reference rate of the day, the last one before it, or the configured substitute. */

import { rateFrom, type UsdEurRate } from '#kernel/money.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

export interface ExchangeRate {
  /** EUR for one USD as a plain decimal. */
  text: string;
  /** The same as an integer of 10^-10. */
  scaled: UsdEurRate;
  /** Whether it is the configured substitute, and the day that is of; null where nobody said. */
  ersatz: boolean;
  ersatzTag: string | null;
}

/** What holds where no reference rate does. */
export interface Substitute {
  /** EUR for one USD as a plain decimal. */
  usdEur: string;
  tag: string | null;
}

export interface ExchangeRates {
  /** The rate for a local day `YYYY-MM-DD`. */
  at(day: string): ExchangeRate;
  /** The reference rate of it where no later one can take its place: rates up to it are known without a gap. Null otherwise. */
  final(day: string): ExchangeRate | null;
}

/** More days than were ever without a reference rate, holidays included. */
const LONGEST_PAUSE = 7;

const toRate = (text: string): Pick<ExchangeRate, 'text' | 'scaled'> => ({ text, scaled: rateFrom(text) });

/** Looks up in rows sorted by day, ascending. */
export function createExchangeRates(
  rows: { tag: string; usd_eur: string }[],
  substitute: Substitute,
): ExchangeRates {
  const rates = rows.map((row) => ({
    tag: row.tag,
    rate: { ...toRate(row.usd_eur), ersatz: false, ersatzTag: null },
  }));
  const fallback = { ...toRate(substitute.usdEur), ersatz: true, ersatzTag: substitute.tag };
  const cache = new Map<string, ExchangeRate>();
  return {
    at(day) {
      const known = cache.get(day);
      if (known) return known;
      const rate = rates.findLast((entry) => entry.tag <= day)?.rate ?? fallback;
      cache.set(day, rate);
      return rate;
    },
    final(day) {
      const before = rates.findLast((entry) => entry.tag <= day);
      const isPast = (rates.at(-1)?.tag ?? '') >= day;
      if (!before || !isPast) return null;
      const { days } = Temporal.PlainDate.from(before.tag).until(day);
      return days <= LONGEST_PAUSE ? before.rate : null;
    },
  };
}

export async function loadExchangeRates(db: OwnerDatabase, substitute: Substitute): Promise<ExchangeRates> {
  const { rows } = await db.query<{ tag: string; usd_eur: string }>(
    'SELECT tag, trim_scale(round(usd_eur, 10))::text AS usd_eur FROM wechselkurse ORDER BY tag',
  );
  return createExchangeRates(rows, substitute);
}
