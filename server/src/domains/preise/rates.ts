/** Rates as a price list gives them, made exact: integers of 10^-24 USD for each unit. */
import { Decimal } from 'decimal.js';
import { USD_SCALE } from '#kernel/money.ts';

/** Enough for every digit of a rate times a factor. */
const Exact = Decimal.clone({ precision: 100 });

export interface Rate {
  base: bigint;
  /** Ascending by start; the last one whose start the input exceeds applies. */
  tiers: { start: number; price: bigint }[];
}

/** A price as the list writes it: USD for a million tokens, a thousand calls, an hour. */
export type ListPrice = number | { base: number; tiers: { start: number; price: number }[] };
export type ListPrices = Readonly<Record<string, ListPrice | undefined>>;

/** Rates by their key in the list, such as `input_mtok`. */
export type Rates = ReadonlyMap<string, Rate>;

/** What follows the last `_` of a key, and how many decimals of a USD one unit of it is less than what the list prices. */
const UNITS: Record<string, number> = { mtok: 6, mchars: 6, kcount: 3, kpages: 3, hours: 0 };

const TOKENS = '_mtok';
const SECONDS_OF_HOUR = 3_600;

function toRate(price: ListPrice, decimals: number): Rate {
  const unit = new Exact(10).pow(USD_SCALE - decimals);
  const scaled = (value: number) => BigInt(new Exact(String(value)).mul(unit).toFixed(0));
  if (typeof price === 'number') return { base: scaled(price), tiers: [] };
  const tiers = price.tiers.map((tier) => ({ start: tier.start, price: scaled(tier.price) }));
  return { base: scaled(price.base), tiers: tiers.sort((a, b) => a.start - b.start) };
}

/** The rates of a price; keys of units that no event has are left out. */
export function toRates(prices: ListPrices): Map<string, Rate> {
  const rates = new Map<string, Rate>();
  for (const [key, price] of Object.entries(prices)) {
    const decimals = UNITS[key.slice(key.lastIndexOf('_') + 1)];
    if (price !== undefined && decimals !== undefined) rates.set(key, toRate(price, decimals));
  }
  return rates;
}

/** Rates times a factor, a plain decimal; those of some keys only where `isMeant` says so. */
export function timesFactor(
  rates: Rates,
  factor: string,
  isMeant: (key: string) => boolean = () => true,
): Rates {
  const times = (price: bigint) => BigInt(new Exact(price.toString()).mul(factor).toFixed(0));
  return new Map(
    [...rates].map(([key, rate]) => {
      if (!isMeant(key)) return [key, rate];
      const tiers = rate.tiers.map(({ start, price }) => ({ start, price: times(price) }));
      return [key, { base: times(rate.base), tiers }];
    }),
  );
}

/** Whether the rate of this key is one of tokens. */
export const isOfTokens = (key: string): boolean => key.endsWith(TOKENS);

const USD_UNIT = new Exact(10).pow(USD_SCALE);

/** A price for `per` units as the rate of a key: a rate of tokens, characters, calls and pages is that of one, a rate of hours that of an hour. */
export function rateOf(price: string, key: string, per: number): Rate {
  const units = key.endsWith('_hours') ? SECONDS_OF_HOUR : 1;
  return { base: BigInt(new Exact(price).mul(USD_UNIT).mul(units).div(per).toFixed(0)), tiers: [] };
}

/** What a rate says of `per` units, as a plain decimal in USD: `rateOf` read back. */
export function priceOfRate({ base }: Rate, key: string, per: number): string {
  const units = key.endsWith('_hours') ? SECONDS_OF_HOUR : 1;
  return new Exact(base.toString()).mul(per).div(units).div(USD_UNIT).toFixed();
}

/** What one unit costs in a call with so much input. */
export function rateFor(rate: Rate, totalInput: number): bigint {
  let price = rate.base;
  for (const tier of rate.tiers) if (totalInput > tier.start) price = tier.price;
  return price;
}

/** Of these keys the first that has a rate: what is more special goes before what is more general. */
export function firstOf(rates: Rates, keys: readonly string[]): Rate | null {
  for (const key of keys) {
    const rate = rates.get(key);
    if (rate) return rate;
  }
  return null;
}

// ── what is priced by which rate, the most special first, as the list decomposes it ─────────────────────────

export type Modality = 'text' | 'audio' | 'image' | 'video';

export const inputKeys = (modality: Modality) => [`input_${modality}_mtok`, 'input_mtok'];
export const readKeys = (modality: Modality) => [
  `cache_${modality}_read_mtok`,
  'cache_read_mtok',
  ...inputKeys(modality),
];
const writeKeys = ['cache_text_write_mtok', 'cache_write_mtok', ...inputKeys('text')];
/** Cache writes that live for five minutes, the usual ones. */
export const shortWriteKeys = ['cache_text_write_5m_mtok', 'cache_write_5m_mtok', ...writeKeys];
const HOUR_KEYS = ['cache_text_write_1h_mtok', 'cache_write_1h_mtok'];
export const hourWriteKeys = [...HOUR_KEYS, ...writeKeys];
export const outputKeys = (modality: Modality) => [`output_${modality}_mtok`, 'output_mtok'];
export const reasoningKeys = ['output_text_reasoning_mtok', 'output_reasoning_mtok'];

/** The keys of the rates of tokens that are no text, and of their likes read from the cache. */
const NO_TEXT = /^(?:(?:input|output)_(?:audio|image|video)|cache_(?:audio|image|video)_read)_mtok$/;

/** Whether a rate of this key is one for tokens that are no text alone. */
export const isOfNoText = (key: string): boolean => NO_TEXT.test(key);

/** The rates with one for each of these kinds of tokens that has none: that of text. */
export function withAlike(rates: Rates, kinds: readonly string[]): Rates {
  if (kinds.length === 0) return rates;
  const all = new Map(rates);
  const add = (key: string, keys: readonly string[]) => {
    const rate = all.has(key) ? null : firstOf(rates, keys);
    if (rate) all.set(key, rate);
  };
  for (const kind of kinds) {
    const [way, modality] = kind.split('_') as ['input' | 'output', Modality];
    add(`${kind}_mtok`, way === 'input' ? inputKeys('text') : outputKeys('text'));
    if (way === 'input') add(`cache_${modality}_read_mtok`, readKeys('text'));
  }
  return all;
}

/** Whether tokens read from the cache have no rate of their own, but those of the input, which they cost at most, do cost something. */
export const lacksReads = (rates: Rates): boolean => {
  const used = readKeys('text').find((key) => rates.has(key));
  return used !== undefined && !used.startsWith('cache_') && (rates.get(used)?.base ?? 0n) > 0n;
};

/** Whether writes are priced, but not those that live for an hour, which cost more. */
export const lacksHourWrites = (rates: Rates): boolean =>
  rates.has('cache_write_mtok') && firstOf(rates, HOUR_KEYS) === null;
