/**
 * The price list in force: rates from an edition of the list and from the supplement. The library's own results are floats, so
 * only its rates are taken (their shortest decimal form is the published price) and multiplied exactly (`cost.ts`). Semantics
 * follow that list: a tier applies to the whole call once its input, cache included, exceeds the tier's start; a bucket
 * without a rate of its own costs what the more general one costs.
 */
import { type AllRates, costOf, type Priced, priceOf } from './cost.ts';
import type { PriceFacts } from './facts.ts';
import { type FoundModel, findModel } from './find-model.ts';
import { PACKAGED, type PriceData } from './list/price-data.ts';
import {
  firstOf,
  inputKeys,
  isOfTokens,
  lacksReads,
  outputKeys,
  type Rates,
  readKeys,
  reasoningKeys,
  shortWriteKeys,
  timesFactor,
  toRates,
  withAlike,
} from './rates.ts';
import type { PriceVariant } from './supplement/schema.ts';
import type { TokenBuckets } from './token-buckets.ts';

export interface ModelRates extends AllRates {
  /** Price list, version and entry, e.g. `genai-prices 0.1.8 openai/gpt-4o-mini`. */
  source: string;
  /** The provider and the model as the list names them; null where it knows neither. */
  listed: { provider: string; id: string } | null;
  origin: PriceOrigin;
  /** What was taken off the price of the list, in percent; null: nothing. */
  discount: string | null;
  /** Whether the counts alone say what a call costs, if it has no further facts. */
  byBuckets: boolean;
  /** The rates of a tier and a region, and whether both are known; null where nothing is known of them. */
  variant(facts: PriceFacts, epochMs: number): Variant;
}

export interface Variant {
  rates: ModelRates | null;
  known: boolean;
}

/** What says a price: the Mandant's own book, the supplement, the list. */
type PriceOrigin = 'preisbuch' | 'ergaenzung' | 'liste';

/** Gemini's prompt is one: what tools add to it is counted beside it. */
const countsToolsApart = ({ provider, id }: FoundModel): boolean =>
  provider === 'google' && id.startsWith('gemini');

/** Groq bills at least ten seconds. */
const leastSecondsOf = ({ provider, id }: FoundModel): number =>
  provider === 'groq' && id.startsWith('whisper-large-v3') ? 10 : 0;

/** The rates by which calls without further facts are priced, among all of them. */
export const bucketRates = (all: Rates) => ({
  input: firstOf(all, inputKeys('text')),
  cacheRead: firstOf(all, readKeys('text')),
  cacheWrite: firstOf(all, shortWriteKeys),
  output: firstOf(all, outputKeys('text')),
  perCall: all.get('requests_kcount') ?? null,
  byBuckets: firstOf(all, reasoningKeys) === null,
  all,
});

const holdsAt = ({ constraint }: PriceVariant, epochMs: number): boolean =>
  constraint === undefined || epochMs >= Date.parse(constraint.start_date);

const isOf = (
  { when }: PriceVariant,
  { preisstufe, region }: Pick<PriceFacts, 'preisstufe' | 'region'>,
): boolean => ('preisstufe' in when ? when.preisstufe === preisstufe : when.region === region);

function withVariants(all: Rates, variants: readonly PriceVariant[]): Rates {
  let rates = all;
  // Prices first: a factor is one of what the tier costs.
  for (const { prices } of variants) if (prices) rates = new Map([...rates, ...toRates(prices)]);
  for (const { factor } of variants) if (factor) rates = timesFactor(rates, factor, isOfTokens);
  return rates;
}

/**
 * What the variants leave open: rates of tokens that they do not restate while they restate others, and what a long prompt costs
 * where they have one price instead of several.
 */
function unsaidOf(plain: Rates, variants: readonly PriceVariant[]): AllRates['isUnsaid'] | null {
  const stated = new Map(variants.flatMap(({ prices = {} }) => [...toRates(prices)]));
  if (![...stated.keys()].some(isOfTokens)) return null;
  const limits = new Map<string, number>();
  for (const [key, { tiers }] of plain) {
    const rate = stated.get(key);
    if (!rate && isOfTokens(key)) limits.set(key, 0);
    if (rate?.tiers.length === 0 && tiers[0]) limits.set(key, tiers[0].start);
  }
  return limits.size === 0 ? null : (key, length) => length > (limits.get(key) ?? Number.POSITIVE_INFINITY);
}

/** `plain` are the rates as the list states them, before those that follow from others. */
function createVariants(
  found: FoundModel,
  usual: ModelRates,
  plain: Rates,
  leastSeconds: number,
): ModelRates['variant'] {
  const made = new Map<string, ModelRates>();
  return (facts, epochMs) => {
    const { preisstufe } = facts;
    const region = facts.region ?? found.region;
    if (preisstufe === null && region === null) return { rates: usual, known: true };
    const variants = found.variants.filter(
      (each) => isOf(each, { preisstufe, region }) && holdsAt(each, epochMs),
    );
    const names = new Set(variants.flatMap(({ when }) => Object.keys(when)));
    const known =
      (preisstufe === null || names.has('preisstufe')) && (region === null || names.has('region'));
    if (variants.length === 0) return { rates: usual, known };
    const key = variants.map((each) => found.variants.indexOf(each)).join();
    const before = made.get(key);
    if (before) return { rates: before, known };
    const words = variants.map(({ when }) => Object.values(when)[0]).join(' ');
    const isUnsaid = unsaidOf(plain, variants);
    const rates: ModelRates = {
      ...usual,
      ...(isUnsaid && { isUnsaid }),
      ...bucketRates(withAlike(withVariants(plain, variants), found.alike)),
      leastSeconds,
      source: `${usual.source}${found.variantSource} ${words}`,
    };
    made.set(key, rates);
    return { rates, known };
  };
}

/** Rates by what they are made of and where that is from: looks at another instant find the same ones. */
const ratesOfPrices = new WeakMap<object, Map<string, ModelRates>>();

function toModelRates(found: FoundModel): ModelRates {
  const bySource = ratesOfPrices.get(found.prices) ?? new Map<string, ModelRates>();
  const name = `${found.source} ${found.region ?? ''}`;
  const before = bySource.get(name);
  if (before) return before;
  const leastSeconds = leastSecondsOf(found);
  const plain = toRates({ ...found.added, ...found.prices });
  for (const key of found.without) plain.delete(key);
  const ofBuckets = bucketRates(withAlike(plain, found.alike));
  const rates: ModelRates = {
    ...ofBuckets,
    // What the name says of a region is a fact as any other.
    byBuckets: ofBuckets.byBuckets && found.region === null,
    leastSeconds,
    isOnePrompt: countsToolsApart(found),
    source: found.source,
    listed: { provider: found.provider, id: found.id },
    origin: found.origin,
    discount: null,
    variant: (facts, epochMs) => variants(facts, epochMs),
  };
  const variants = createVariants(found, rates, plain, leastSeconds);
  ratesOfPrices.set(found.prices, bySource.set(name, rates));
  return rates;
}

/** The price of a call, and where it is from. `facts` null: none. */
export interface PricedCall extends Priced {
  source: string | null;
}

const UNPRICED: PricedCall = { usd: null, partial: false, source: null };
export const NO_FACTS: PriceFacts = {
  preisstufe: null,
  region: null,
  counts: new Map(),
  eingabeIstSumme: null,
  sekunden: null,
};

/** Whether a count is unknown that costs something with this model: an embedding has no output. */
const lacksCount = ({ fehlt }: TokenBuckets, { input, output }: ModelRates): boolean =>
  fehlt !== undefined && ((fehlt === 'eingabe' ? input : output)?.base ?? 0n) > 0n;

/** What a call costs. `denk` are its tokens of reasoning. */
export function priceCall(
  buckets: TokenBuckets,
  denk: number,
  facts: PriceFacts | null,
  usual: ModelRates,
  epochMs: number,
): PricedCall {
  if (facts === null && usual.byBuckets) {
    const usd = costOf(buckets, usual);
    return {
      partial:
        usd !== null && (lacksCount(buckets, usual) || (buckets.cacheLese > 0 && lacksReads(usual.all))),
      usd,
      source: usd === null ? null : usual.source,
    };
  }
  const { rates, known } = usual.variant(facts ?? NO_FACTS, epochMs);
  if (rates === null) return UNPRICED;
  const { usd, partial } = priceOf(buckets, denk, facts ?? NO_FACTS, rates);
  return {
    usd,
    partial: usd !== null && (partial || !known || lacksCount(buckets, usual)),
    source: usd === null ? null : rates.source,
  };
}

const HALF_HOUR = 30 * 60_000;
const MAX_MODELS = 10_000;
/** Half hours kept per model: two months, for senders of late calls. */
const MAX_SLOTS = 3_000;

/** Rates at an instant (epoch milliseconds); null when unknown. */
export type RatesAt = (epochMs: number) => ModelRates | null;

export interface PriceList {
  /** The name of the list in force, as `preis_quelle` has it. */
  readonly edition: string;
  /** The rates of a model, as the list in force has them now; what was asked for stays with the list of then. */
  model(anbieter: string | null, modell: string | null): RatesAt;
  /** Looks now whether another list is in force; without it there is only one. */
  refresh?(): Promise<void>;
}

const UNKNOWN: RatesAt = () => null;

/** Looking up is matching of patterns over thousands of models, so every answer is remembered. */
function createRatesAt(list: PriceData, anbieter: string | null, modell: string): RatesAt {
  let timeless: ModelRates | null | undefined;
  // Some models have prices by date or time of day; all such borders fall on half hours.
  const timed = new Map<number, ModelRates | null>();
  return (epochMs) => {
    if (timeless !== undefined) return timeless;
    const slot = Math.floor(epochMs / HALF_HOUR);
    const known = timed.get(slot);
    if (known !== undefined) return known;
    const found = findModel(anbieter, modell, new Date(slot * HALF_HOUR), list);
    const rates = found && toModelRates(found);
    if (!found?.timed) timeless = rates;
    else if (timed.size >= MAX_SLOTS) timed.clear();
    timed.set(slot, rates);
    return rates;
  };
}

/** Prices by the list that `inForce` names when a model is asked for. */
export function createPriceList(
  inForce: () => PriceData = () => PACKAGED,
  refresh?: () => Promise<void>,
): PriceList {
  const models = new Map<string, RatesAt>();
  let list = inForce();
  return {
    ...(refresh && { refresh }),
    get edition() {
      return inForce().name;
    },
    model(anbieter, modell) {
      if (modell === null || modell === '') return UNKNOWN;
      if (inForce() !== list) {
        list = inForce();
        models.clear();
      }
      const key = `${anbieter ?? ''}\n${modell}`;
      const known = models.get(key);
      if (known) return known;
      const ratesAt = createRatesAt(list, anbieter === '' ? null : anbieter, modell);
      if (models.size >= MAX_MODELS) models.clear();
      models.set(key, ratesAt);
      return ratesAt;
    },
  };
}
