/**
 * The kept price list: rates from `@pydantic/genai-prices`. Its own results are floats, so only its rates are taken
 * (their shortest decimal form is the published price) and multiplied exactly here. Semantics follow that list: a tier
 * applies to the whole call once its input, cache included, exceeds the tier's start; a cache bucket without a rate of
 * its own costs what input costs.
 */
import { readFileSync } from 'node:fs';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { Decimal } from 'decimal.js';
import type { TokenBuckets } from './token-buckets.ts';

/** Costs are integers of 10^-24 USD: the list gives USD per million tokens with up to 17 decimals. */
export const USD_SCALE = 24;
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
const MAX_CACHED = 10_000;

export interface PriceList {
  /** Rates of a model at an instant (epoch milliseconds); null when unknown. */
  rates(anbieter: string | null, modell: string | null, epochMs: number): ModelRates | null;
}

/** Looking up is matching of patterns over thousands of models, so every answer is remembered. */
export function createPriceList(): PriceList {
  const timeless = new Map<string, ModelRates | null>();
  // Some models have prices by date or time of day; all such borders fall on half hours.
  const timed = new Map<string, ModelRates | null>();
  return {
    rates(anbieter, modell, epochMs) {
      if (modell === null || modell === '') return null;
      const key = `${anbieter ?? ''}\n${modell}`;
      const known = timeless.get(key);
      if (known !== undefined) return known;
      const slot = Math.floor(epochMs / HALF_HOUR);
      const timedKey = `${slot}\n${key}`;
      const knownTimed = timed.get(timedKey);
      if (knownTimed !== undefined) return knownTimed;
      const found = lookUp(anbieter === '' ? null : anbieter, modell, new Date(slot * HALF_HOUR));
      const cache = found.timed ? timed : timeless;
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(found.timed ? timedKey : key, found.rates);
      return found.rates;
    },
  };
}

function rateFor(rate: Rate, totalInput: number): bigint {
  let price = rate.base;
  for (const tier of rate.tiers) if (totalInput > tier.start) price = tier.price;
  return price;
}

/** Exact cost in 10^-24 USD; null when a bucket that holds tokens has no rate. */
export function costOf(buckets: TokenBuckets, rates: ModelRates): bigint | null {
  const totalInput = buckets.eingabeOhneCache + buckets.cacheLese + buckets.cacheSchreib;
  let cost = rates.perCall ? rateFor(rates.perCall, totalInput) : 0n;
  const parts: [number | bigint, Rate | null][] = [
    [buckets.eingabeOhneCache, rates.input],
    [buckets.cacheLese, rates.cacheRead],
    [buckets.cacheSchreib, rates.cacheWrite],
    [buckets.ausgabeGesamt, rates.output],
  ];
  for (const [tokens, rate] of parts) {
    if (tokens === 0) continue;
    if (!rate) return null;
    cost += BigInt(tokens) * rateFor(rate, totalInput);
  }
  return cost;
}
