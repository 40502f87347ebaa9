/** What a token of a model may cost at most, before anybody knows how it will be counted. */
import { toPriceFacts } from './facts.ts';
import { NO_FACTS, type PriceList } from './price-list.ts';
import {
  hourWriteKeys,
  inputKeys,
  outputKeys,
  type Rate,
  type Rates,
  rateFor,
  readKeys,
  reasoningKeys,
  shortWriteKeys,
} from './rates.ts';

/** A call that is about to be made, as far as its rates depend on it. */
export interface Asked {
  anbieter: string | null;
  modell: string | null;
  preisstufe: string | null;
  region: string | null;
  /** Most input tokens; null: not known. */
  eingabe: number | null;
  /** Whether input may be written to the cache. */
  cacheSchreiben: boolean;
}

/** Integers of 10^-24 USD: of an input token, of an output token, of the call besides. */
export interface HighestRates {
  input: bigint;
  output: bigint;
  call: bigint;
  /** They hold up to this many input tokens; null: for all. */
  upTo: number | null;
}

const PICTURES = ['image', 'audio', 'video'] as const;

const dearest = (rates: readonly (Rate | undefined)[], input: number): bigint =>
  rates.reduce((most, rate) => {
    const price = rate ? rateFor(rate, input) : 0n;
    return price > most ? price : most;
  }, 0n);

const ratesOf = (all: Rates, ...keys: (readonly string[])[]) =>
  [...new Set(keys.flat())].map((key) => all.get(key));

/** Null where the model has no price of input and output. */
export function highestRates(prices: PriceList, asked: Asked, epochMs: number): HighestRates | null {
  const usual = prices.model(asked.anbieter, asked.modell)(epochMs);
  const facts = toPriceFacts({ preisstufe: asked.preisstufe, region: asked.region });
  const all = usual?.variant(facts ?? NO_FACTS, epochMs).rates?.all;
  if (!all || !inputKeys('text').some((key) => all.has(key))) return null;
  const writes = asked.cacheSchreiben ? [shortWriteKeys, hourWriteKeys] : [];
  // What is no text may have rates of its own; only where the request does not bound its input may there be any.
  const others = asked.eingabe === null ? PICTURES.map(inputKeys) : [];
  const inputs = ratesOf(all, inputKeys('text'), readKeys('text'), ...writes, ...others);
  const outputs = ratesOf(all, outputKeys('text'), reasoningKeys);
  const calls = ratesOf(all, ['requests_kcount']);
  const starts = [...inputs, ...outputs, ...calls].flatMap(
    (rate) => rate?.tiers.map(({ start }) => start) ?? [],
  );
  const input = asked.eingabe ?? Number.POSITIVE_INFINITY;
  const next = starts.filter((start) => start >= input);
  return {
    input: dearest(inputs, input),
    output: dearest(outputs, input),
    call: dearest(calls, input),
    upTo: next.length === 0 ? null : Math.min(...next),
  };
}
