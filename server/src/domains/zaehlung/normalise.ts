/** One event of a waiting batch becomes one counted event: attributed, placed in time, priced. No input or output here. */
import { GESCHAETZT, NO_AGENT, type PackedBatch } from '#domains/ereignisse/index.ts';
import {
  costOf,
  type ExchangeRates,
  type PriceList,
  type RatesAt,
  type TokenBuckets,
  type TokenCounts,
  toBuckets,
} from '#domains/preise/index.ts';
import type { LocalHour } from '#kernel/local-hours.ts';
import type { Microseconds } from '#kernel/microseconds.ts';
import { toEur } from '#kernel/money.ts';

/** Its `zeitpunkt` are `seconds` and `micros`. */
export interface CountedEvent extends Microseconds {
  received: Microseconds;
  anbieter: string | null;
  modell: string | null;
  agent: string;
  projekt: string;
  endkunde: string | null;
  funktion: string | null;
  benutzer: string | null;
  latenzMs: number | null;
  ersteZeichenMs: number | null;
  lauf: string | null;
  schritt: number | null;
  status: string;
  failed: boolean;
  geschaetzt: boolean;
  sent: Pick<TokenCounts, 'eingabe' | 'ausgabe' | 'cacheLese' | 'cacheSchreib' | 'denk'>;
  stunde: string;
  tag: string;
  /** EUR for one USD, plain decimal. */
  kurs: string;
  /** The same as an integer of 10^-10. */
  kursScaled: bigint;
  buckets: TokenBuckets | null;
  /** 10^-24 USD; null when unknown. */
  usd: bigint | null;
  /** 10^-34 EUR; null when unknown. */
  eur: bigint | null;
  preisQuelle: string | null;
}

/** What a batch brings besides its events, and what is known of the Mandant. */
export interface Surroundings {
  received: Microseconds;
  /** Project of the key; null when it has none. */
  schluesselProjekt: string | null;
  /** Projects chosen by a person, by agent key. */
  agentProjekte: ReadonlyMap<string, string>;
  localHour: (epochMs: number) => LocalHour;
  prices: PriceList;
  rates: ExchangeRates;
}

export const SUCCESS = 'erfolgreich';
const NO_PROJECT = 'standard';
const MAX_PROJECT = 100;
/** More than there are texts in any batch. */
const MAX_TEXTS = 2 ** 24;

/** Cuts by code points: half a surrogate pair would be no text any more. */
const shorten = (text: string): string =>
  text.length <= MAX_PROJECT ? text : [...text].slice(0, MAX_PROJECT).join('');

/** What of the free data says how to count. */
interface Hints {
  projekt: string | null;
  eingabeUmfasstCache: boolean | undefined;
  ausgabeUmfasstDenken: boolean | undefined;
}

const NO_HINTS: Hints = {
  projekt: null,
  eingabeUmfasstCache: undefined,
  ausgabeUmfasstDenken: undefined,
};

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function toHints(zusatz: string): Hints {
  const free = JSON.parse(zusatz) as Record<string, unknown>;
  return {
    projekt: typeof free.projekt === 'string' && free.projekt !== '' ? shorten(free.projekt) : null,
    eingabeUmfasstCache: flag(free.eingabe_umfasst_cache),
    ausgabeUmfasstDenken: flag(free.ausgabe_umfasst_denken),
  };
}

function projectOf(hints: Hints, agent: string, around: Surroundings): string {
  if (hints.projekt !== null) return hints.projekt;
  const chosen = around.agentProjekte.get(agent);
  if (chosen !== undefined) return chosen;
  const slash = agent.indexOf('/');
  if (slash > 0) return shorten(agent.slice(0, slash));
  return around.schluesselProjekt ?? NO_PROJECT;
}

// A failed call without counts used nothing that anybody bills; a successful one used what nobody told us.
const bucketsOf = (sent: TokenCounts, failed: boolean): TokenBuckets | null =>
  toBuckets(sent) ??
  (failed ? { eingabeOhneCache: 0, cacheLese: 0, cacheSchreib: 0, ausgabeGesamt: 0 } : null);

const countOrNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

const sentCounts = (
  { counts }: PackedBatch['columns'],
  index: number,
  anbieter: string | null,
  { eingabeUmfasstCache, ausgabeUmfasstDenken }: Hints,
): TokenCounts => ({
  anbieter,
  eingabe: countOrNull(counts.eingabe_token[index]),
  ausgabe: countOrNull(counts.ausgabe_token[index]),
  cacheLese: countOrNull(counts.cache_lese_token[index]),
  cacheSchreib: countOrNull(counts.cache_schreib_token[index]),
  denk: countOrNull(counts.denk_token[index]),
  eingabeUmfasstCache,
  ausgabeUmfasstDenken,
});

/** Reads the events of one batch, one by one, as they are counted. Money is exact. */
export function createNormaliser(batch: PackedBatch, around: Surroundings): (index: number) => CountedEvent {
  const { columns } = batch;
  const { texts } = columns;
  const hints = new Map<number, Hints>([[0, NO_HINTS]]);
  const text = (column: Uint32Array, index: number) => batch.text(column[index] as number);

  // A batch names few models.
  const models = new Map<number, RatesAt>();
  const ratesAt = (index: number): RatesAt => {
    const key = (texts.anbieter[index] as number) * MAX_TEXTS + (texts.modell[index] as number);
    const known = models.get(key);
    if (known) return known;
    const found = around.prices.model(text(texts.anbieter, index), text(texts.modell, index));
    models.set(key, found);
    return found;
  };

  const hintsOf = (number: number): Hints => {
    const known = hints.get(number);
    if (known) return known;
    const read = toHints(batch.text(number) ?? '{}');
    hints.set(number, read);
    return read;
  };

  return (index) => {
    const seconds = columns.seconds[index] as number;
    const micros = columns.micros[index] as number;
    const epochMs = seconds * 1_000 + Math.floor(micros / 1_000);
    const { stunde, tag } = around.localHour(epochMs);
    const anbieter = text(texts.anbieter, index);
    const modell = text(texts.modell, index);
    const agent = text(texts.agent, index) || NO_AGENT;
    const status = text(texts.status, index) ?? SUCCESS;
    const failed = status !== SUCCESS;
    const hint = hintsOf(texts.zusatz[index] as number);
    const sent = sentCounts(columns, index, anbieter, hint);
    const buckets = bucketsOf(sent, failed);
    const price = ratesAt(index)(epochMs);
    const usd = buckets && price ? costOf(buckets, price) : null;
    const rate = around.rates.at(tag);
    return {
      seconds,
      micros,
      received: around.received,
      anbieter,
      modell,
      agent,
      projekt: projectOf(hint, agent, around),
      endkunde: text(texts.endkunde_ref, index) || null,
      funktion: text(texts.funktion_ref, index) || null,
      benutzer: text(texts.benutzer_ref, index) || null,
      latenzMs: countOrNull(columns.counts.latenz_ms[index]),
      ersteZeichenMs: countOrNull(columns.counts.erste_zeichen_ms[index]),
      lauf: text(texts.lauf_id, index),
      schritt: countOrNull(columns.counts.schritt_nr[index]),
      status,
      failed,
      geschaetzt: ((columns.flags[index] as number) & GESCHAETZT) !== 0,
      sent,
      stunde,
      tag,
      kurs: rate.text,
      kursScaled: rate.scaled,
      buckets,
      usd,
      eur: usd === null ? null : toEur(usd, rate.scaled),
      preisQuelle: usd === null || !price ? null : price.source,
    };
  };
}
