/**
 * What a call costs, worked out anew from the published rates and the event as it was sent: the yardstick for the
 * service's own figures. Shares no code with it; only the finding of a model in the list is left to the list's library.
 */
import { calcPrice, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices';
import { Decimal } from 'decimal.js';
import type { Ereignis } from '#client/index.ts';

/** Decimals with room for every digit of a sum of costs. */
export const Exact = Decimal.clone({ precision: 200, toExpNeg: -200, toExpPos: 200 });

type Constraint = { type: string; start_date?: string; start_time?: string; end_time?: string };

const secondsOf = (clock: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = clock.replace('Z', '').split(':').map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
};

/** Whether a conditional price holds at the instant. Times of day are UTC; a span may run over midnight. */
function holds(constraint: Constraint | undefined, at: Date): boolean {
  if (constraint === undefined) return true;
  if (constraint.type === 'start_date') return at >= new Date(`${constraint.start_date}T00:00:00Z`);
  const now = (at.getTime() / 1_000) % 86_400;
  const start = secondsOf(constraint.start_time ?? '');
  const end = secondsOf(constraint.end_time ?? '');
  return start <= end ? now >= start && now < end : now >= start || now < end;
}

/** The prices of a model at an instant: of its conditional ones the last that holds, else the first. */
export function pricesAt(model: ModelInfo, at: Date): ModelPrice {
  if (!Array.isArray(model.prices)) return model.prices;
  const found = model.prices.findLast(({ constraint }) => holds(constraint as Constraint | undefined, at));
  return (found ?? model.prices[0])?.prices ?? {};
}

/** USD for one unit; of a tiered price the tier that the whole input reaches. Null when there is no such price. */
function rate(price: ModelPrice[string], input: Decimal): Decimal | null {
  if (price === undefined) return null;
  if (typeof price === 'number') return new Exact(String(price));
  const reached = price.tiers.filter((tier) => input.gt(tier.start)).sort((a, b) => b.start - a.start)[0];
  return new Exact(String(reached?.price ?? price.base));
}

export interface Tokens {
  uncached: Decimal;
  read: Decimal;
  write: Decimal;
  output: Decimal;
}

const flagOf = (event: Ereignis, name: string): boolean | undefined => {
  const value = event.zusatz?.[name];
  return typeof value === 'boolean' ? value : undefined;
};

/** The counts without overlap; null when the sender gave none at all. */
export function tokensOf(event: Ereignis): Tokens | null {
  const { eingabe_token, ausgabe_token, cache_lese_token, cache_schreib_token, denk_token } = event;
  const isCounted = [eingabe_token, ausgabe_token].some((count) => count !== null && count !== undefined);
  if (!isCounted && !cache_lese_token && !cache_schreib_token) return null;
  const input = new Exact(eingabe_token ?? 0);
  const read = new Exact(cache_lese_token ?? 0);
  const write = new Exact(cache_schreib_token ?? 0);
  const isNativeClaude = !event.anbieter && (event.modell ?? '').startsWith('claude');
  const includesCache =
    flagOf(event, 'eingabe_umfasst_cache') ?? !(event.anbieter === 'anthropic' || isNativeClaude);
  const isOverlapping = includesCache && read.plus(write).lte(input);
  const includesThoughts = flagOf(event, 'ausgabe_umfasst_denken') ?? event.anbieter !== 'google';
  return {
    uncached: isOverlapping ? input.minus(read).minus(write) : input,
    read,
    write,
    output: new Exact(ausgabe_token ?? 0).plus(includesThoughts ? 0 : (denk_token ?? 0)),
  };
}

const NOTHING: Tokens = {
  uncached: new Exact(0),
  read: new Exact(0),
  write: new Exact(0),
  output: new Exact(0),
};

/** Since when DeepSeek's V4 Pro costs more, and twice as much in the hours of its days of work. */
const V4_PRO_CHANGED = new Date('2026-08-17T00:00:00Z');
const HOLIDAYS = [
  ['2026-09-25', '2026-09-27'],
  ['2026-10-01', '2026-10-07'],
] as const;

function isBusy(at: Date): boolean {
  const [day, hour] = [at.toISOString().slice(0, 10), at.getUTCHours()];
  const isWorkday = at.getUTCDay() >= 1 && at.getUTCDay() <= 5;
  if (!isWorkday || HOLIDAYS.some(([first, last]) => first <= day && day <= last)) return false;
  return (hour >= 1 && hour < 4) || (hour >= 6 && hour < 10);
}

function v4Pro(at: Date): ModelPrice {
  if (at < V4_PRO_CHANGED) return { input_mtok: 0.435, cache_read_mtok: 0.003625, output_mtok: 0.87 };
  return isBusy(at)
    ? { input_mtok: 1.32, cache_read_mtok: 0.044, output_mtok: 3.96 }
    : { input_mtok: 0.66, cache_read_mtok: 0.022, output_mtok: 1.98 };
}

/** Since when no prompt of Sonnet 4.5 is longer than what costs the usual price. */
const SONNET_SHORT = new Date('2026-05-01T00:00:00Z');

/** What the list has wrong, by the providers' pages. */
function corrected(model: string, prices: ModelPrice, at: Date): ModelPrice {
  // The fee is that of the small context, which is the usual one.
  if (model === 'perplexity/sonar') return { ...prices, requests_kcount: 5 };
  if (model === 'deepseek/deepseek-v4-pro') return v4Pro(at);
  if (model === 'anthropic/claude-sonnet-4-5' && at >= SONNET_SHORT)
    return { input_mtok: 3, cache_write_mtok: 3.75, cache_read_mtok: 0.3, output_mtok: 15 };
  return prices;
}

/** The prices of the event's model; null when the list does not know it. */
function listed(event: Ereignis, at: Date): ModelPrice | null {
  if (!event.modell) return null;
  const options = { timestamp: at, ...(event.anbieter ? { providerId: event.anbieter } : {}) };
  const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, event.modell, options);
  return found && corrected(`${found.provider.id}/${found.model.id}`, pricesAt(found.model, at), at);
}

/** Exact USD of a call at an instant; null when model, price or consumption is unknown. */
export function usdOf(event: Ereignis, at: Date): Decimal | null {
  const prices = listed(event, at);
  const hasFailed = !['erfolgreich', 'abgebrochen'].includes(event.status ?? 'erfolgreich');
  const tokens = tokensOf(event) ?? (hasFailed ? NOTHING : null);
  if (!prices || !tokens) return null;
  const input = tokens.uncached.plus(tokens.read).plus(tokens.write);
  const parts: [Decimal, ModelPrice[string]][] = [
    [tokens.uncached, prices.input_mtok],
    [tokens.read, prices.cache_read_mtok ?? prices.input_mtok],
    [tokens.write, prices.cache_write_mtok ?? prices.input_mtok],
    [tokens.output, prices.output_mtok],
  ];
  let sum = (rate(prices.requests_kcount, input) ?? new Exact(0)).div(1_000);
  for (const [count, price] of parts) {
    if (count.isZero()) continue;
    const perMillion = rate(price, input);
    if (perMillion === null) return null;
    sum = sum.plus(count.mul(perMillion).div(1_000_000));
  }
  return sum;
}

/** Whether tokens came from a cache of a model that the list knows no such price of. */
function lacksReads(event: Ereignis, at: Date): boolean {
  const prices = listed(event, at);
  if (!prices || prices.cache_read_mtok !== undefined || !tokensOf(event)?.read.gt(0)) return false;
  return rate(prices.input_mtok, new Exact(0))?.gt(0) ?? false;
}

/** Whether one of the two counts is unknown beside the other, and costs something with this model; or what was cached has no price. */
export function isPartlyUnknown(event: Ereignis, at: Date): boolean {
  if (lacksReads(event, at)) return true;
  const [input, output] = [event.eingabe_token ?? null, event.ausgabe_token ?? null];
  if ((input === null) === (output === null)) return false;
  const rates = ratesOf(event, at, new Exact(0));
  return (input === null ? rates?.uncached : rates?.output)?.gt(0) ?? false;
}

/** USD for one token of each kind, and for the call; null where the list has no such price. */
export interface Rates extends Record<keyof Tokens, Decimal | null> {
  call: Decimal;
}

/** The rates of a model for a call with so much input; null when the list does not know the model. */
export function ratesOf(
  event: Pick<Ereignis, 'anbieter' | 'modell'>,
  at: Date,
  input: Decimal,
): Rates | null {
  const prices = listed(event, at);
  if (!prices) return null;
  const one = (price: ModelPrice[string]) => rate(price, input)?.div(1_000_000) ?? null;
  return {
    uncached: one(prices.input_mtok),
    read: one(prices.cache_read_mtok ?? prices.input_mtok),
    write: one(prices.cache_write_mtok ?? prices.input_mtok),
    output: one(prices.output_mtok),
    call: (rate(prices.requests_kcount, input) ?? new Exact(0)).div(1_000),
  };
}
