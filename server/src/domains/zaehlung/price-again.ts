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
import { bucketsOf, type Changeable, type CountedRow } from './counted-row.ts';

const UNPRICED: PricedCall = { usd: null, partial: false, source: null };

/** What the call costs by these prices, as if it were counted now. */
export function priceAgain(row: CountedRow, { prices, reportedCosts }: PricesOfMandant): PricedCall {
  const reported = reportedCosts && row.zusatz ? toReportedCost(row.zusatz) : null;
  if (reported !== null) return { usd: reported, partial: false, source: REPORTED };
  const counted = bucketsOf(row);
  const epochMs = Date.parse(row.zeitpunkt);
  const rates = counted && prices.model(row.anbieter || null, row.modell)(epochMs);
  if (!counted || !rates) return UNPRICED;
  const buckets = { ...counted, ...missingOf(row.eingabe_token, row.ausgabe_token) };
  return priceCall(buckets, row.denk_token ?? 0, row.zusatz && toPriceFacts(row.zusatz), rates, epochMs);
}

/** What is new of a call that has this price. */
export const asPriced = ({ usd, partial, source }: PricedCall): Partial<Changeable> => ({
  usd,
  teilbepreist: partial,
  preisQuelle: source,
});
