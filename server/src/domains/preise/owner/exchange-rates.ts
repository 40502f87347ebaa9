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
}

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
  };
}

export async function loadExchangeRates(db: OwnerDatabase, substitute: Substitute): Promise<ExchangeRates> {
  const { rows } = await db.query<{ tag: string; usd_eur: string }>(
    'SELECT tag, trim_scale(round(usd_eur, 10))::text AS usd_eur FROM wechselkurse ORDER BY tag',
  );
  return createExchangeRates(rows, substitute);
}
