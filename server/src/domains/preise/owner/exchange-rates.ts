/** USD to EUR: the ECB reference rate of the day, the last one before it, or the configured substitute. */

import { scaledFrom } from '#kernel/decimal-text.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { USD_SCALE } from '../price-list.ts';

/** Rates are integers of 10^-10. */
export const RATE_SCALE = 10;
/** Costs in EUR are integers of 10^-34: those in USD times a rate. */
export const EUR_SCALE: number = USD_SCALE + RATE_SCALE;

export interface ExchangeRate {
  /** EUR for one USD as a plain decimal. */
  text: string;
  /** The same as an integer of 10^-10. */
  scaled: bigint;
}

export interface ExchangeRates {
  /** The rate for a local day `YYYY-MM-DD`. */
  at(day: string): ExchangeRate;
}

const toRate = (text: string): ExchangeRate => ({ text, scaled: scaledFrom(text, RATE_SCALE) });

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
