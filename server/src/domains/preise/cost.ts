/**
 * What a call costs, exactly. Its counts are taken apart as the list does it: each token is priced once, by the most special
 * rate that covers it. What has no rate makes the cost a partial one.
 */
import type { Usd } from '#kernel/money.ts';
import type { CountFact, PriceFacts } from './facts.ts';
import {
  firstOf,
  hourWriteKeys,
  inputKeys,
  isOfNoText,
  lacksHourWrites,
  lacksReads,
  outputKeys,
  type Rate,
  type Rates,
  rateFor,
  readKeys,
  reasoningKeys,
  shortWriteKeys,
} from './rates.ts';
import type { TokenBuckets } from './token-buckets.ts';

/** The rates that a call without further facts is priced by. */
export interface BucketRates {
  input: Rate | null;
  cacheRead: Rate | null;
  cacheWrite: Rate | null;
  output: Rate | null;
  perCall: Rate | null;
}

export interface AllRates extends BucketRates {
  /** By their key in the list. */
  all: Rates;
  /** Whole seconds of audio that a call is billed for at least. */
  leastSeconds: number;
  /** Whether the input is one prompt whatever tools were used, since what they found is counted apart; left out: no. */
  isOnePrompt?: boolean;
  /** Whether nobody said what a rate is at this tier, for prompts of this length; left out: no. */
  isUnsaid?: (key: string, promptLength: number) => boolean;
}

const totalOf = ({ eingabeOhneCache, cacheLese, cacheSchreib }: TokenBuckets) =>
  eingabeOhneCache + cacheLese + cacheSchreib;

/** Cost of one bucket; null when it holds tokens and has no rate. */
function partOf(tokens: number | bigint, rate: Rate | null, totalInput: number): bigint | null {
  if (tokens === 0) return 0n;
  return rate && BigInt(tokens) * rateFor(rate, totalInput);
}

/** Exact cost of a call that says nothing but its counts; null when a bucket that holds tokens has no rate. */
export function costOf(buckets: TokenBuckets, rates: BucketRates): Usd | null {
  const { eingabeOhneCache, cacheLese, cacheSchreib, ausgabeGesamt } = buckets;
  const totalInput = totalOf(buckets);
  const input = partOf(eingabeOhneCache, rates.input, totalInput);
  const read = partOf(cacheLese, rates.cacheRead, totalInput);
  const write = partOf(cacheSchreib, rates.cacheWrite, totalInput);
  const output = partOf(ausgabeGesamt, rates.output, totalInput);
  if (input === null || read === null || write === null || output === null) return null;
  const call = rates.perCall ? rateFor(rates.perCall, totalInput) : 0n;
  return (call + input + read + write + output) as Usd;
}

/** Tokens of one kind, and the keys of the rates that may price them. */
type Cell = [keys: readonly string[], tokens: number | bigint];

type Counts = ReadonlyMap<CountFact, number>;
const countIn = (counts: Counts, name: CountFact) => counts.get(name) ?? 0;

const INPUTS = [
  ['audio', 'audio_eingabe_token', 'audio_cache_lese_token'],
  ['image', 'bild_eingabe_token', 'bild_cache_lese_token'],
  ['video', 'video_eingabe_token', null],
] as const;
const OUTPUTS = [
  ['audio', 'audio_ausgabe_token'],
  ['image', 'bild_ausgabe_token'],
  ['video', 'video_ausgabe_token'],
] as const;

/** The input taken apart. What is more than the uncached input has room for came from the cache. */
function inputCells(buckets: TokenBuckets, counts: Counts): Cell[] {
  let uncached = buckets.eingabeOhneCache;
  let read = buckets.cacheLese;
  const cells: Cell[] = [];
  for (const [modality, name, cached] of INPUTS) {
    const said = Math.min(cached ? countIn(counts, cached) : 0, read);
    const total = countIn(counts, name);
    const fresh = Math.min(Math.max(total - said, 0), uncached);
    const fromCache = Math.min(Math.max(said, total - fresh), read);
    uncached -= fresh;
    read -= fromCache;
    cells.push([inputKeys(modality), fresh], [readKeys(modality), fromCache]);
  }
  const hour = Math.min(countIn(counts, 'cache_schreib_1h_token'), buckets.cacheSchreib);
  cells.push([inputKeys('text'), uncached], [readKeys('text'), read]);
  cells.push([hourWriteKeys, hour], [shortWriteKeys, buckets.cacheSchreib - hour]);
  return cells;
}

const least = (a: number | bigint, b: number | bigint) => (a < b ? a : b);

/** The output taken apart; reasoning only where it has a rate of its own. */
function outputCells(buckets: TokenBuckets, denk: number, counts: Counts, rates: Rates): Cell[] {
  let rest = BigInt(buckets.ausgabeGesamt);
  const cells: Cell[] = [];
  const take = (keys: readonly string[], tokens: number) => {
    const taken = BigInt(least(tokens, rest));
    rest -= taken;
    cells.push([keys, taken]);
  };
  for (const [modality, name] of OUTPUTS) take(outputKeys(modality), countIn(counts, name));
  if (firstOf(rates, reasoningKeys)) take(reasoningKeys, denk);
  cells.push([outputKeys('text'), rest]);
  return cells;
}

/** What is billed beside the tokens, whatever they are. */
const EXTRAS: readonly (readonly [CountFact, string])[] = [
  ['zitat_token', 'output_citation_mtok'],
  ['websuchen', 'web_searches_kcount'],
  ['dateisuchen', 'storage_searches_kcount'],
  ['codeausfuehrungen', 'code_executions_kcount'],
  ['reranksuchen', 'rerank_searches_kcount'],
];
/** What is billed instead of tokens; where tokens are billed it is another measure of the same use. */
const INSTEAD: readonly (readonly [CountFact, string])[] = [
  ['zeichen', 'input_mchars'],
  ['seiten', 'input_document_kpages'],
  ['bilder', 'output_images_kcount'],
];
const SECONDS = ['input_audio_hours', 'audio_hours'];
const SECONDS_PER_HOUR = 3_600n;

/** Seconds at a rate by the hour, to the nearest 10^-24 USD: an hour has no whole number of decimals. */
function secondsCost(seconds: string, rate: Rate, leastSeconds: number): bigint {
  const [whole = '0', decimals = ''] = seconds.split('.');
  const unit = 10n ** BigInt(decimals.length);
  const said = BigInt(whole) * unit + BigInt(decimals || '0');
  const billed = said < BigInt(leastSeconds) * unit ? BigInt(leastSeconds) * unit : said;
  const divisor = SECONDS_PER_HOUR * unit;
  return (2n * billed * rate.base + divisor) / (2n * divisor);
}

export interface Priced {
  /** Null when nothing of the call has a price, or its tokens have none. */
  usd: Usd | null;
  /** True when the call used something that no rate covers: it costs more than this, or other. */
  partial: boolean;
}

const UNPRICED: Priced = { usd: null, partial: false };

/**
 * Cost of the tokens; null when some have no rate. What is no text and has only the rate of text costs at least that, and mostly a
 * multiple of it.
 */
function tokensCost(
  cells: Cell[],
  { all: rates, isUnsaid }: AllRates,
  promptLength: number,
): { sum: bigint; isLeast: boolean } | null {
  let sum = 0n;
  let isLeast = false;
  for (const [keys, tokens] of cells) {
    if (tokens === 0 || tokens === 0n) continue;
    const key = keys.find((each) => rates.has(each)) ?? '';
    const part = partOf(tokens, rates.get(key) ?? null, promptLength);
    if (part === null) return null;
    sum += part;
    isLeast ||= keys.some(isOfNoText) && !isOfNoText(key);
    isLeast ||= isUnsaid?.(key, promptLength) ?? false;
  }
  return { sum, isLeast };
}

/** What is billed beside the tokens and instead of them, and whether some of it has no rate. */
function othersCost(
  { counts, sekunden }: PriceFacts,
  { all, leastSeconds }: AllRates,
  hasTokens: boolean,
): { cost: bigint; priced: boolean; missing: boolean } {
  const others = { cost: 0n, priced: false, missing: false };
  const add = (rate: Rate | null, cost: (rate: Rate) => bigint, matters: boolean) => {
    if (rate) {
      others.cost += cost(rate);
      others.priced = true;
    } else if (matters) others.missing = true;
  };
  for (const [name, key] of EXTRAS) {
    const count = counts.get(name);
    if (count) add(firstOf(all, [key]), (rate) => BigInt(count) * rate.base, true);
  }
  for (const [name, key] of INSTEAD) {
    const count = counts.get(name);
    if (count) add(firstOf(all, [key]), (rate) => BigInt(count) * rate.base, !hasTokens);
  }
  if (sekunden !== null)
    add(firstOf(all, SECONDS), (rate) => secondsCost(sekunden, rate, leastSeconds), !hasTokens);
  return others;
}

/** With these the provider asks the model again and again, and adds up what it was asked. */
const TOOLS = ['websuchen', 'dateisuchen', 'codeausfuehrungen'] as const;

const isSum = ({ counts, eingabeIstSumme }: PriceFacts, { isOnePrompt = false }: AllRates): boolean =>
  eingabeIstSumme ?? (!isOnePrompt && TOOLS.some((tool) => counts.has(tool)));

/**
 * How long the prompt was, for prices of long contexts. The input of a call with tools on the provider's side is the sum of several
 * prompts: what is not known of their longest counts as short, and the cost is a partial one where that makes a difference.
 */
function promptOf(totalInput: number, facts: PriceFacts, ofModel: AllRates) {
  const { all, perCall } = ofModel;
  const longest = facts.counts.get('laengste_eingabe_token');
  if (longest !== undefined) return { length: Math.min(longest, totalInput), isUnsure: false };
  if (!isSum(facts, ofModel)) return { length: totalInput, isUnsure: false };
  const rates = perCall ? [...all.values(), perCall] : [...all.values()];
  const matters = rates.some((rate) => rateFor(rate, totalInput) !== rate.base);
  return { length: matters ? 0 : totalInput, isUnsure: matters };
}

/** Exact cost of a call with all its facts. `denk` are its tokens of reasoning, which are a part of the output. */
export function priceOf(buckets: TokenBuckets, denk: number, facts: PriceFacts, rates: AllRates): Priced {
  const totalInput = totalOf(buckets);
  const hasTokens = totalInput > 0 || buckets.ausgabeGesamt > 0;
  const cells = [
    ...inputCells(buckets, facts.counts),
    ...outputCells(buckets, denk, facts.counts, rates.all),
  ];
  const prompt = promptOf(totalInput, facts, rates);
  const tokens = tokensCost(cells, rates, prompt.length);
  if (tokens === null) return UNPRICED;
  const others = othersCost(facts, rates, hasTokens);
  if (others.missing && !others.priced && !hasTokens) return UNPRICED;
  const call = rates.perCall ? rateFor(rates.perCall, prompt.length) : 0n;
  const hourMissing = facts.counts.has('cache_schreib_1h_token') && lacksHourWrites(rates.all);
  return {
    usd: (call + tokens.sum + others.cost) as Usd,
    partial:
      (buckets.cacheLese > 0 && lacksReads(rates.all)) ||
      tokens.isLeast ||
      others.missing ||
      hourMissing ||
      prompt.isUnsure,
  };
}
