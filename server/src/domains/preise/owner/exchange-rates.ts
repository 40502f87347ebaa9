/** USD to EUR: the ECB reference rate of the day, the last one before it, or the configured substitute. */

import { rateFrom, type UsdEurRate } from '#kernel/money.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

export interface ExchangeRate {
  /** EUR for one USD as a plain decimal. */
  text: string;
  /** The same as an integer of 10^-10. */
  scaled: UsdEurRate;
}

export interface ExchangeRates {
  /** The rate for a local day `YYYY-MM-DD`. */
  at(day: string): ExchangeRate;
}

const toRate = (text: string): ExchangeRate => ({ text, scaled: rateFrom(text) });

/** Looks up in rows sorted by day, ascending. */
export function createExchangeRates(
  rows: { tag: string; usd_eur: string }[],
  substitute: string,
): ExchangeRates {
  const rates = rows.map((row) => ({ tag: row.tag, rate: toRate(row.usd_eur) }));
  const fallback = toRate(substitute);
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

export async function loadExchangeRates(db: OwnerDatabase, substitute: string): Promise<ExchangeRates> {
  const { rows } = await db.query<{ tag: string; usd_eur: string }>(
    'SELECT tag, trim_scale(round(usd_eur, 10))::text AS usd_eur FROM wechselkurse ORDER BY tag',
  );
  return createExchangeRates(rows, substitute);
}
