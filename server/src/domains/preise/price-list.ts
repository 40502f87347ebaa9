/**
 * The kept price list: rates from `@pydantic/genai-prices`. Its own results are floats, so only its rates are taken
 * (their shortest decimal form is the published price) and multiplied exactly here. Semantics follow that list: a tier
 * applies to the whole call once its input, cache included, exceeds the tier's start; a cache bucket without a rate of
 * its own costs what input costs.
 */
import { readFileSync } from 'node:fs';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { Decimal } from 'decimal.js';
import { USD_SCALE, type Usd } from '#kernel/money.ts';
import type { TokenBuckets } from './token-buckets.ts';

const PER_MILLION = new Decimal(10).pow(USD_SCALE - 6);
const PER_THOUSAND = new Decimal(10).pow(USD_SCALE - 3);

interface Rate {
  base: bigint;
  /** Ascending by start; the last one whose start the input exceeds applies. */
  tiers: { start: number; price: bigint }[];
}

export interface ModelRates {
  input: Rate | null;
  cacheRead: Rate | null;
  cacheWrite: Rate | null;
  output: Rate | null;
  perCall: Rate | null;
  /** Price list, version and entry, e.g. `genai-prices 0.1.8 openai/gpt-4o-mini`. */
  source: string;
}

type ListPrice = number | { base: number; tiers: { start: number; price: number }[] } | undefined;

const LIST_FILE = import.meta.resolve('@pydantic/genai-prices');
const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', LIST_FILE), 'utf8')) as { version: string }
).version;

function toRate(price: ListPrice, unit: Decimal): Rate | null {
  if (price === undefined) return null;
  const scaled = (value: number) => BigInt(new Decimal(String(value)).mul(unit).toFixed(0));
  if (typeof price === 'number') return { base: scaled(price), tiers: [] };
  const tiers = price.tiers.map((tier) => ({ start: tier.start, price: scaled(tier.price) }));
  return { base: scaled(price.base), tiers: tiers.sort((a, b) => a.start - b.start) };
}

/** The rates valid at an instant; null when list or model do not know the pair. */
function lookUp(
  anbieter: string | null,
  modell: string,
  at: Date,
): { rates: ModelRates | null; timed: boolean } {
  // A provider that is named but not listed may be anybody's own server: its prices are unknown, whatever the model.
  if (anbieter !== null && !findProvider({ providerId: anbieter, modelId: modell }))
    return { rates: null, timed: false };
  const options = { timestamp: at, ...(anbieter === null ? {} : { providerId: anbieter }) };
  const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, modell, options);
  if (!found) return { rates: null, timed: false };
  const price = found.model_price as Record<string, ListPrice>;
  const rates: ModelRates = {
    input: toRate(price.input_mtok, PER_MILLION),
    cacheRead: toRate(price.cache_read_mtok ?? price.input_mtok, PER_MILLION),
    cacheWrite: toRate(price.cache_write_mtok ?? price.input_mtok, PER_MILLION),
    output: toRate(price.output_mtok, PER_MILLION),
    perCall: toRate(price.requests_kcount, PER_THOUSAND),
    source: `genai-prices ${VERSION} ${found.provider.id}/${found.model.id}`,
  };
  return { rates, timed: Array.isArray(found.model.prices) };
}

const HALF_HOUR = 30 * 60_000;
const MAX_MODELS = 10_000;
/** Half hours kept per model: two months, for whoever sends its calls late. */
const MAX_SLOTS = 3_000;

/** Rates at an instant (epoch milliseconds); null when unknown. */
export type RatesAt = (epochMs: number) => ModelRates | null;

export interface PriceList {
  /** The rates of a model. */
  model(anbieter: string | null, modell: string | null): RatesAt;
}

const UNKNOWN: RatesAt = () => null;

/** Looking up is matching of patterns over thousands of models, so every answer is remembered. */
function createRatesAt(anbieter: string | null, modell: string): RatesAt {
  let timeless: ModelRates | null | undefined;
  // Some models have prices by date or time of day; all such borders fall on half hours.
  const timed = new Map<number, ModelRates | null>();
  return (epochMs) => {
    if (timeless !== undefined) return timeless;
    const slot = Math.floor(epochMs / HALF_HOUR);
    const known = timed.get(slot);
    if (known !== undefined) return known;
    const found = lookUp(anbieter, modell, new Date(slot * HALF_HOUR));
    if (!found.timed) timeless = found.rates;
    else if (timed.size >= MAX_SLOTS) timed.clear();
    timed.set(slot, found.rates);
    return found.rates;
  };
}

export function createPriceList(): PriceList {
  const models = new Map<string, RatesAt>();
  return {
    model(anbieter, modell) {
      if (modell === null || modell === '') return UNKNOWN;
      const key = `${anbieter ?? ''}\n${modell}`;
      const known = models.get(key);
      if (known) return known;
      const ratesAt = createRatesAt(anbieter === '' ? null : anbieter, modell);
      if (models.size >= MAX_MODELS) models.clear();
      models.set(key, ratesAt);
      return ratesAt;
    },
  };
}

function rateFor(rate: Rate, totalInput: number): bigint {
  let price = rate.base;
  for (const tier of rate.tiers) if (totalInput > tier.start) price = tier.price;
  return price;
}

/** Cost of one bucket; null when it holds tokens and has no rate. */
function partOf(tokens: number | bigint, rate: Rate | null, totalInput: number): bigint | null {
  if (tokens === 0) return 0n;
  return rate && BigInt(tokens) * rateFor(rate, totalInput);
}

/** Exact cost; null when a bucket that holds tokens has no rate. */
export function costOf(buckets: TokenBuckets, rates: ModelRates): Usd | null {
  const { eingabeOhneCache, cacheLese, cacheSchreib, ausgabeGesamt } = buckets;
  const totalInput = eingabeOhneCache + cacheLese + cacheSchreib;
  const input = partOf(eingabeOhneCache, rates.input, totalInput);
  const read = partOf(cacheLese, rates.cacheRead, totalInput);
  const write = partOf(cacheSchreib, rates.cacheWrite, totalInput);
  const output = partOf(ausgabeGesamt, rates.output, totalInput);
  if (input === null || read === null || write === null || output === null) return null;
  const call = rates.perCall ? rateFor(rates.perCall, totalInput) : 0n;
  return (call + input + read + write + output) as Usd;
}
