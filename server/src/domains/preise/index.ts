/** Prices: rates of models, token buckets, exchange rates. */
export { createExchangeRates, type ExchangeRates, loadExchangeRates, RATE_SCALE } from './exchange-rates.ts';
export { createKurseHolen } from './jobs/kurse-holen.ts';
export {
  costOf,
  createPriceList,
  type ModelRates,
  type PriceList,
  type RatesAt,
  USD_SCALE,
} from './price-list.ts';
export { type TokenBuckets, type TokenCounts, toBuckets } from './token-buckets.ts';
