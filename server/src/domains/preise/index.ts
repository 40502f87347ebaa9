/** Prices: editions of the price list, price books, rates of models, token buckets, exchange rates. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { asRequest } from './asking.ts';
import { kurseHolenJob } from './jobs/kurse-holen.ts';
import { listeHolenJob } from './jobs/liste-holen.ts';
import { followPriceList } from './owner/follow-list.ts';
import { preisFassungRoute } from './routes/preis-fassung.ts';
import { preisFassungenRoute } from './routes/preis-fassungen.ts';
import { preisKurseRoute } from './routes/preis-kurse.ts';
import { preiseAusgebenRoute } from './routes/preise-ausgeben.ts';
import { preiseEinlesenRoute } from './routes/preise-einlesen.ts';
import { preiseLesenRoute } from './routes/preise-lesen.ts';
import { preiseNachschlagenRoute } from './routes/preise-nachschlagen.ts';
import { preiseSetzenRoute } from './routes/preise-setzen.ts';

export { asRequest } from './asking.ts';
export { BOOK_SOURCES } from './book/priced.ts';
export { type PriceFacts, REPORTED, saysUse, toPlainDecimal, toPriceFacts, toReportedCost } from './facts.ts';
export { freshnessOf } from './freshness.ts';
export { type HighestRates, highestRates } from './highest.ts';
export { listeGewechselt } from './jobs/liste-gewechselt.ts';
export { preisbuchGeaendert } from './jobs/preisbuch-geaendert.ts';
export { ageInDays, type Edition, inForceOf, isOld, OLD_DAYS } from './list/in-force.ts';
export { BadPriceList } from './list/read-list.ts';
export {
  goBack,
  MAX_LIST_BYTES,
  type Offer,
  pinEdition,
  readEditions,
  type Taken,
  takeEdition,
  takePackaged,
  unpinEdition,
} from './owner/editions.ts';
export {
  createExchangeRates,
  type ExchangeRate,
  type ExchangeRates,
  loadExchangeRates,
  type Substitute,
} from './owner/exchange-rates.ts';
export { fetchOffer, ListNotFetched } from './owner/fetch-list.ts';
export { followPriceList } from './owner/follow-list.ts';
export { createMandantPrices, type MandantPrices, type PricesOfMandant } from './owner/price-books.ts';
export {
  BadRates,
  MAX_RATES_BYTES,
  readRatesFile,
  type TakenRates,
  takeRates,
} from './owner/reference-rates.ts';
export {
  createPriceList,
  type ModelRates,
  type PricedCall,
  type PriceList,
  priceCall,
  type RatesAt,
} from './price-list.ts';
export { preiseBody } from './routes/preise-einlesen.ts';
export { createPricesOf } from './service/prices-of.ts';
export { currentEdition, hasApproved } from './store/books.ts';
export { readPriceListAge } from './store/list-age.ts';
export { type NewestRate, readNewestRate } from './store/rate-age.ts';
export { readRateOfDay } from './store/rate-of-day.ts';
export { loadSupplements } from './supplement/load.ts';
export {
  type CountingRule,
  countingRule,
  includesCacheSql,
  missingOf,
  type TokenBuckets,
  type TokenCounts,
  toBuckets,
} from './token-buckets.ts';

export const preiseRoutes = (context: ServiceContext): Route[] => [
  preiseLesenRoute(context),
  preiseSetzenRoute(context),
  preisFassungenRoute(context),
  preisKurseRoute(context),
  preisFassungRoute(context),
  preiseAusgebenRoute(context),
  preiseEinlesenRoute(context),
  // Looked at when somebody asks: nothing is counted by it.
  preiseNachschlagenRoute(context, followPriceList({ db: asRequest(context), log: context.log }).prices),
];

export const preiseJobs = (context: JobContext): Job[] => [kurseHolenJob(context), listeHolenJob(context)];
