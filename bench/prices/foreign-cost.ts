/** What a call costs by another list: its counts taken apart as the service does, each part by the list's own rate. */
import { Decimal } from 'decimal.js';
import { type PriceFacts, toPriceFacts } from '#domains/preise/index.ts';
import type { Call } from '#test/price-cases.ts';
import { bucketsOf } from '#test/price-of-call.ts';
import type { ForeignRates } from './lists.ts';

const Exact = Decimal.clone({ precision: 60, toExpNeg: -60, toExpPos: 60 });

/** Exact USD, or what the list has no rate for. */
export type ForeignCost = { usd: Decimal } | { lacks: string };

type Part = [what: string, count: Decimal.Value, rate: number | undefined, per: number];

/** Facts that a rate of their own stands for, in either list. */
const KNOWN = new Set([
  'audio_eingabe_token',
  'audio_ausgabe_token',
  'bild_ausgabe_token',
  'websuchen',
  'codeausfuehrungen',
]);

const ENGLISH: Record<string, string> = {
  cache_schreib_1h_token: 'cache writes for an hour',
  audio_cache_lese_token: 'cached audio',
  dateisuchen: 'file searches',
  zitat_token: 'citations',
  seiten: 'pages',
  reranksuchen: 'rerank searches',
  bilder: 'images',
};

/** What of the facts no list of the two has a place for. */
function unknownFact({ preisstufe, region, counts }: PriceFacts): string | null {
  if (preisstufe !== null) return `tier ${preisstufe}`;
  if (region !== null) return `region ${region}`;
  const name = [...counts.keys()].find((each) => !KNOWN.has(each));
  return name === undefined ? null : (ENGLISH[name] ?? name);
}

function tokenParts(call: Call, facts: PriceFacts | null, usual: ForeignRates): Part[] {
  const buckets = bucketsOf(call);
  if (!buckets) return [];
  const { eingabeOhneCache, cacheLese, cacheSchreib, ausgabeGesamt } = buckets;
  const isLong = usual.long && eingabeOhneCache + cacheLese + cacheSchreib > usual.long.over;
  const rates = isLong ? { ...usual, ...usual.long } : usual;
  const countOf = (name: 'audio_eingabe_token' | 'audio_ausgabe_token' | 'bild_ausgabe_token') =>
    facts?.counts.get(name) ?? 0;
  const [audioIn, audioOut] = [countOf('audio_eingabe_token'), countOf('audio_ausgabe_token')];
  const imageOut = countOf('bild_ausgabe_token');
  const thought = rates.reasoning === undefined ? 0 : (call.tokens.denk ?? 0);
  const text = new Exact(ausgabeGesamt.toString()).minus(audioOut).minus(imageOut).minus(thought);
  const { per } = rates;
  return [
    ['input', eingabeOhneCache - audioIn, rates.input, per],
    ['audio input', audioIn, rates.audioIn, per],
    ['cache reads', cacheLese, rates.cacheRead, per],
    ['cache writes', cacheSchreib, rates.cacheWrite, per],
    ['output', text, rates.output, per],
    ['reasoning', thought, rates.reasoning, per],
    ['audio output', audioOut, rates.audioOut, per],
    ['image output', imageOut, rates.imageOut, per],
  ];
}

/** Seconds count where no tokens do. */
function otherParts(call: Call, facts: PriceFacts | null, rates: ForeignRates): Part[] {
  const buckets = bucketsOf(call);
  const hasTokens = buckets !== null && (buckets.eingabeOhneCache > 0 || buckets.ausgabeGesamt > 0);
  return [
    ['web searches', facts?.counts.get('websuchen') ?? 0, rates.webSearches, 1_000],
    ['code executions', facts?.counts.get('codeausfuehrungen') ?? 0, rates.codeRuns, 1_000],
    ['calls', rates.calls === undefined ? 0 : 1, rates.calls, 1_000],
    ['seconds of audio', hasTokens ? 0 : (facts?.sekunden ?? 0), rates.audioMinute, 60],
  ];
}

/** Exact USD of a call by the rates of another list. */
export function foreignCost(call: Call, rates: ForeignRates): ForeignCost {
  const facts = toPriceFacts(call.zusatz ?? {});
  const unknown = facts && unknownFact(facts);
  if (unknown) return { lacks: unknown };
  let usd = new Exact(0);
  for (const [what, count, rate, per] of [
    ...tokenParts(call, facts, rates),
    ...otherParts(call, facts, rates),
  ]) {
    if (new Exact(count).isZero()) continue;
    if (rate === undefined) return { lacks: what };
    usd = usd.plus(new Exact(count).mul(String(rate)).div(per));
  }
  return { usd };
}
