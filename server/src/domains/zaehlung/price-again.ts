/** The price of a call that was counted before, by what was kept of it. */
import {
  missingOf,
  type PricedCall,
  type PricesOfMandant,
  priceCall,
  REPORTED,
  toPriceFacts,
  toReportedCost,
} from '#domains/preise/index.ts';
import { COUNTED_ROW, type CountedRow } from './differences.ts';

/** A counted event as far as its price needs it. */
export interface PricedRow extends CountedRow {
  wiederholung: boolean;
  /** As the sender gave them. */
  eingabe_token: number | null;
  ausgabe_token: number | null;
  /** Null where the sender gave no count at all. */
  eingabe_ohne_cache: number | null;
  cache_lese_token: number | null;
  cache_schreib_token: number | null;
  ausgabe_gesamt: number | null;
  denk_token: number | null;
}

/** The columns of it. */
export const PRICED_ROW = `${COUNTED_ROW}, wiederholung, eingabe_token, ausgabe_token, eingabe_ohne_cache, cache_lese_token, cache_schreib_token, ausgabe_gesamt,
    denk_token`;

const UNPRICED: PricedCall = { usd: null, partial: false, source: null };

/** What the call costs by these prices, as if it were counted now. */
export function priceAgain(row: PricedRow, { prices, reportedCosts }: PricesOfMandant): PricedCall {
  const reported = reportedCosts && row.zusatz ? toReportedCost(row.zusatz) : null;
  if (reported !== null) return { usd: reported, partial: false, source: REPORTED };
  if (row.eingabe_ohne_cache === null) return UNPRICED;
  const epochMs = Date.parse(row.zeitpunkt);
  const rates = prices.model(row.anbieter || null, row.modell)(epochMs);
  if (!rates) return UNPRICED;
  const buckets = {
    eingabeOhneCache: row.eingabe_ohne_cache,
    cacheLese: row.cache_lese_token ?? 0,
    cacheSchreib: row.cache_schreib_token ?? 0,
    ausgabeGesamt: row.ausgabe_gesamt ?? 0,
    ...missingOf(row.eingabe_token, row.ausgabe_token),
  };
  return priceCall(buckets, row.denk_token ?? 0, row.zusatz && toPriceFacts(row.zusatz), rates, epochMs);
}
