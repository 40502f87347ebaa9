/** Prices: rates of models, token buckets, exchange rates. */
export { createKurseHolen } from './jobs/kurse-holen.ts';
export {
  createExchangeRates,
  EUR_SCALE,
  type ExchangeRates,
  loadExchangeRates,
  RATE_SCALE,
} from './owner/exchange-rates.ts';
export {
  costOf,
  createPriceList,
  type ModelRates,
  type PriceList,
  type RatesAt,
  USD_SCALE,
} from './price-list.ts';
export { type TokenBuckets, type TokenCounts, toBuckets } from './token-buckets.ts';
