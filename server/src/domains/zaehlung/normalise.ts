/** One event of a waiting batch becomes one counted event: attributed, placed in time, priced. No input or output here. */
import { ADDED_FIELDS } from '#contracts';
import { BITS, isFailure, type PackedBatch } from '#domains/ereignisse/index.ts';
import {
  type CountingRule,
  countingRule,
  type ExchangeRate,
  type ExchangeRates,
  type PricedCall,
  type PriceFacts,
  type PriceList,
  priceCall,
  type RatesAt,
  REPORTED,
  saysUse,
  type TokenBuckets,
  type TokenCounts,
  toBuckets,
} from '#domains/preise/index.ts';
import type { LocalHour } from '#kernel/local-hours.ts';
import type { Microseconds } from '#kernel/microseconds.ts';
import { toEur, type Usd } from '#kernel/money.ts';
import type { CallKey } from './call-key.ts';
import type { Herkunft } from './herkunft.ts';
import { createHerkunft, createHints, type Hints } from './hints.ts';
import type { KeptChoice } from './kept-values.ts';
import type { OwnNames } from './own-dimensions.ts';
import { shorten } from './shorten.ts';

/** Its `zeitpunkt` are `seconds` and `micros`. */
export interface CountedEvent extends Microseconds {
  received: Microseconds;
  anbieter: string | null;
  modell: string | null;
  agent: string;
  /** The API key it came by; null where that was not noted. */
  schluessel: CallKey | null;
  /** What told of it. */
  herkunft: Herkunft;
  /** Whether a subscription pays for it. */
  abo: boolean;
  projekt: string;
  endkunde: string | null;
  funktion: string | null;
  benutzer: string | null;
  /** Its values of the Mandant's own dimensions, by their place; '' is none. */
  merkmale: readonly string[];
  ersteZeichenMs: number | null;
  lauf: string | null;
  schritt: number | null;
  latenzMs: number | null;
  status: string;
  failed: boolean;
  /** Whether it was proven to be an exact repeat: none is as long as it is new. */
  wiederholung: boolean;
  /** Whether it is repeated on purpose. */
  gewollt: boolean;
  /** The run that its run was begun from, as the call names it. */
  eltern: string | null;
  geschaetzt: boolean;
  /** Whether the prompt's fingerprint came with it. */
  mitFingerabdruck: boolean;
  sent: Pick<TokenCounts, 'eingabe' | 'ausgabe' | 'cacheLese' | 'cacheSchreib' | 'denk'>;
  stunde: string;
  tag: string;
  kurs: ExchangeRate;
  buckets: TokenBuckets | null;
  /** 10^-24 USD; null when unknown. */
  usd: bigint | null;
  /** 10^-34 EUR; null when unknown. */
  eur: bigint | null;
  /** Whether that is the price of a part: something of the call has no rate. */
  teilbepreist: boolean;
  preisQuelle: string | null;
}

/** Whether its cost is burnt money, once: it may have failed and be a repeat. */
export const isBurnt = ({ failed, wiederholung }: Pick<CountedEvent, 'failed' | 'wiederholung'>): boolean =>
  failed || wiederholung;

/** What a batch brings besides its events, and what is known of the Mandant. */
export interface Surroundings {
  received: Microseconds;
  schluessel: CallKey;
  /** Project of the key; null when it has none. */
  schluesselProjekt: string | null;
  /** Projects chosen by a person, by agent key. */
  agentProjekte: ReadonlyMap<string, string>;
  localHour: (epochMs: number) => LocalHour;
  prices: PriceList;
  /** Keys of the free data that are dimensions of the Mandant's own. */
  eigeneMerkmale: OwnNames;
  /** Whether calls that a subscription pays for are passed on to their end customer. */
  aboWeiterbelasten: boolean;
  /** Whether what a call reports as its cost is its cost. */
  reportedCosts: boolean;
  /** The edition of the price book that says both. */
  fassung: number;
  /** Which values have running sums. */
  kept: KeptChoice;
  rates: ExchangeRates;
}

const NO_PROJECT = ADDED_FIELDS.projekt.otherwise;
/** More than there are texts in any batch. */
const MAX_TEXTS = 2 ** 24;

function projectOf(hints: Hints, agent: string, around: Surroundings): string {
  if (hints.projekt !== null) return hints.projekt;
  const chosen = around.agentProjekte.get(agent);
  if (chosen !== undefined) return chosen;
  const slash = agent.indexOf('/');
  if (slash > 0) return shorten(agent.slice(0, slash));
  return around.schluesselProjekt ?? NO_PROJECT;
}

const NOTHING: TokenBuckets = { eingabeOhneCache: 0, cacheLese: 0, cacheSchreib: 0, ausgabeGesamt: 0 };

// A failed call without counts used nothing that anybody bills, one that is billed otherwise no tokens; else a successful one
// used what nobody told us.
const bucketsOf = (sent: TokenCounts, failed: boolean, facts: PriceFacts | null): TokenBuckets | null =>
  toBuckets(sent) ?? (failed || (facts !== null && saysUse(facts)) ? NOTHING : null);

/** Reads what was counted by the sender. */
function createSentCounts(batch: PackedBatch) {
  const eingabe = batch.counts('eingabe_token');
  const ausgabe = batch.counts('ausgabe_token');
  const cacheLese = batch.counts('cache_lese_token');
  const cacheSchreib = batch.counts('cache_schreib_token');
  const denk = batch.counts('denk_token');
  return (index: number, rule: CountingRule, hints: Hints): TokenCounts => ({
    rule,
    eingabe: eingabe(index),
    ausgabe: ausgabe(index),
    cacheLese: cacheLese(index),
    cacheSchreib: cacheSchreib(index),
    denk: denk(index),
    eingabeUmfasstCache: hints.eingabeUmfasstCache,
    ausgabeUmfasstDenken: hints.ausgabeUmfasstDenken,
  });
}

/** What a model costs, and how its tokens are counted. */
interface Priced {
  ratesAt: RatesAt;
  rule: CountingRule;
}

/** Finds the prices of an event's model; a batch names few of them. */
function createPriced(batch: PackedBatch, prices: PriceList): (index: number) => Priced {
  const known = new Map<number, Priced>();
  const anbieterAt = batch.numbers('anbieter');
  const modellAt = batch.numbers('modell');
  const textOf = (number: number) => (number < 0 ? null : batch.text(number));
  return (index) => {
    const key = anbieterAt(index) * MAX_TEXTS + modellAt(index);
    const found = known.get(key);
    if (found) return found;
    const anbieter = textOf(anbieterAt(index));
    const modell = textOf(modellAt(index));
    const priced = { ratesAt: prices.model(anbieter, modell), rule: countingRule(anbieter, modell) };
    known.set(key, priced);
    return priced;
  };
}

type PriceOf = (
  buckets: TokenBuckets | null,
  denk: number,
  hints: Hints,
  ratesAt: RatesAt,
  epochMs: number,
) => PricedCall | null;

const calculated: PriceOf = (buckets, denk, { facts }, ratesAt, epochMs) => {
  const rates = ratesAt(epochMs);
  return buckets && rates && priceCall(buckets, denk, facts, rates, epochMs);
};

const reportedOrCalculated: PriceOf = (buckets, denk, hints, ratesAt, epochMs) =>
  hints.reported === null
    ? calculated(buckets, denk, hints, ratesAt, epochMs)
    : { usd: hints.reported as Usd, partial: false, source: REPORTED };

const inEur = (usd: Usd | null, { scaled }: ExchangeRate) => (usd === null ? null : toEur(usd, scaled));

/** What reads the fields of a batch's events, by the number of the event. */
const readersOf = (batch: PackedBatch, around: Surroundings) => ({
  zeitpunkt: batch.columns.of('zeitpunkt'),
  geschaetzt: batch.columns.of('geschaetzt'),
  present: batch.columns.present,
  anbieter: batch.texts('anbieter'),
  modell: batch.texts('modell'),
  agent: batch.texts('agent'),
  status: batch.texts('status'),
  endkunde: batch.texts('endkunde_ref'),
  funktion: batch.texts('funktion_ref'),
  benutzer: batch.texts('benutzer_ref'),
  lauf: batch.uuids('lauf_id'),
  schritt: batch.counts('schritt_nr'),
  latenzMs: batch.counts('latenz_ms'),
  ersteZeichenMs: batch.counts('erste_zeichen_ms'),
  hints: createHints(batch, around.eigeneMerkmale),
  herkunft: createHerkunft(batch),
  priced: createPriced(batch, around.prices),
  sent: createSentCounts(batch),
  priceOf: around.reportedCosts ? reportedOrCalculated : calculated,
});

type Readers = ReturnType<typeof readersOf>;

/** What an event used, and what that costs. */
function usedAt(index: number, read: Readers, hints: Hints, failed: boolean, epochMs: number) {
  const { ratesAt, rule } = read.priced(index);
  const sent = read.sent(index, rule, hints);
  const buckets = bucketsOf(sent, failed, hints.facts);
  return { sent, buckets, priced: read.priceOf(buckets, sent.denk ?? 0, hints, ratesAt, epochMs) };
}

/** When it was, and at which rate of that day it is converted. */
function placeInTime(index: number, { zeitpunkt }: Readers, { localHour, rates }: Surroundings) {
  const seconds = zeitpunkt.seconds[index] as number;
  const micros = zeitpunkt.micros[index] as number;
  const epochMs = seconds * 1_000 + Math.floor(micros / 1_000);
  const { stunde, tag } = localHour(epochMs);
  return { seconds, micros, epochMs, stunde, tag, kurs: rates.at(tag) };
}

/** Field by field: put together of several objects an event would take five times the memory. */
function countedEvent(index: number, read: Readers, around: Surroundings): CountedEvent {
  const { seconds, micros, epochMs, stunde, tag, kurs } = placeInTime(index, read, around);
  const status = read.status(index);
  const failed = isFailure(status, around.received.seconds);
  const hints = read.hints(index);
  const { sent, buckets, priced } = usedAt(index, read, hints, failed, epochMs);
  return {
    seconds,
    micros,
    received: around.received,
    anbieter: read.anbieter(index),
    modell: read.modell(index),
    agent: read.agent(index),
    schluessel: around.schluessel,
    herkunft: read.herkunft(index, hints),
    abo: hints.abo,
    projekt: projectOf(hints, read.agent(index), around),
    endkunde: hints.abo && !around.aboWeiterbelasten ? null : read.endkunde(index),
    funktion: read.funktion(index),
    benutzer: read.benutzer(index),
    merkmale: hints.merkmale,
    lauf: read.lauf(index),
    schritt: read.schritt(index),
    latenzMs: read.latenzMs(index),
    ersteZeichenMs: read.ersteZeichenMs(index),
    status,
    failed,
    wiederholung: false,
    gewollt: hints.gewollt,
    eltern: hints.eltern,
    geschaetzt: read.geschaetzt[index] !== 0,
    mitFingerabdruck: ((read.present[index] as number) & BITS.prompt_fingerabdruck) !== 0,
    sent,
    stunde,
    tag,
    kurs,
    buckets,
    usd: priced?.usd ?? null,
    eur: priced && inEur(priced.usd, kurs),
    teilbepreist: priced?.partial ?? false,
    preisQuelle: priced?.source ?? null,
  };
}

/** Reads the events of one batch, one by one, as they are counted. Money is exact. */
export function createNormaliser(batch: PackedBatch, around: Surroundings): (index: number) => CountedEvent {
  const read = readersOf(batch, around);
  return (index) => countedEvent(index, read, around);
}
