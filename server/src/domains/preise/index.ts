/** Prices: rates of models, token buckets, exchange rates. */
import type { Job, JobContext } from '#jobs/index.ts';
import { kurseHolenJob } from './jobs/kurse-holen.ts';

export { costOf } from './cost.ts';
export { type PriceFacts, saysUse, toPlainDecimal, toPriceFacts } from './facts.ts';
export {
  createExchangeRates,
  type ExchangeRate,
  type ExchangeRates,
  loadExchangeRates,
  type Substitute,
} from './owner/exchange-rates.ts';
export {
  createPriceList,
  type ModelRates,
  type PriceList,
  priceCall,
  type RatesAt,
} from './price-list.ts';
export {
  type CountingRule,
  countingRule,
  type TokenBuckets,
  type TokenCounts,
  toBuckets,
} from './token-buckets.ts';

export const preiseJobs = (context: JobContext): Job[] => [kurseHolenJob(context)];
