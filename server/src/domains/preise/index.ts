/** Prices: rates of models, token buckets, exchange rates. */
import type { Job, JobContext } from '#jobs/index.ts';
import { kurseHolenJob } from './jobs/kurse-holen.ts';

export {
  createExchangeRates,
  type ExchangeRates,
  loadExchangeRates,
} from './owner/exchange-rates.ts';
export {
  costOf,
  createPriceList,
  type ModelRates,
  type PriceList,
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
