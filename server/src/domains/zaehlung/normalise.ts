/** One event of the inbox becomes one counted event: attributed, placed in time, priced. No input or output here. */
import { randomUUID } from 'node:crypto';
import type { EreignisEingang, Static } from '#contracts';
import {
  costOf,
  type ExchangeRates,
  type PriceList,
  type TokenBuckets,
  toBuckets,
} from '#domains/preise/index.ts';
import type { LocalHour } from '#kernel/local-hours.ts';

export type EventIn = Static<typeof EreignisEingang>;

export interface CountedEvent {
  id: string;
  /** As received and checked. */
  sent: EventIn;
  /** ISO 8601 in UTC with six decimals, so that text order is the order of time. */
  zeitpunkt: string;
  empfangenAm: string;
  agent: string;
  projekt: string;
  endkunde: string | null;
  status: string;
  failed: boolean;
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
  empfangenAm: string;
  /** Project of the key; null when it has none. */
  schluesselProjekt: string | null;
  /** Projects chosen by a person, by agent key. */
  agentProjekte: ReadonlyMap<string, string>;
  localHour: (epochMs: number) => LocalHour;
  prices: PriceList;
  rates: ExchangeRates;
}

export const SUCCESS = 'erfolgreich';
const NO_AGENT = 'unbekannt';
const NO_PROJECT = 'standard';
const MAX_PROJECT = 100;

/** Cuts by code points: half a surrogate pair would be no text any more. */
const shorten = (text: string): string =>
  text.length <= MAX_PROJECT ? text : [...text].slice(0, MAX_PROJECT).join('');

/** Microseconds, as PostgreSQL keeps them: padded or cut to six decimals. */
const withMicros = (iso: string): string =>
  `${iso.slice(0, 19)}.${iso.slice(20, -1).padEnd(6, '0').slice(0, 6)}Z`;

function projectOf(event: EventIn, agent: string, around: Surroundings): string {
  const named = event.zusatz?.projekt;
  if (typeof named === 'string' && named !== '') return shorten(named);
  const chosen = around.agentProjekte.get(agent);
  if (chosen !== undefined) return chosen;
  const slash = agent.indexOf('/');
  if (slash > 0) return shorten(agent.slice(0, slash));
  return around.schluesselProjekt ?? NO_PROJECT;
}

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function bucketsOf(event: EventIn, failed: boolean): TokenBuckets | null {
  const buckets = toBuckets({
    anbieter: event.anbieter ?? null,
    eingabe: event.eingabe_token ?? null,
    ausgabe: event.ausgabe_token ?? null,
    cacheLese: event.cache_lese_token ?? null,
    cacheSchreib: event.cache_schreib_token ?? null,
    denk: event.denk_token ?? null,
    eingabeUmfasstCache: flag(event.zusatz?.eingabe_umfasst_cache),
    ausgabeUmfasstDenken: flag(event.zusatz?.ausgabe_umfasst_denken),
  });
  // A failed call without counts used nothing that anybody bills; a successful one used what nobody told us.
  return (
    buckets ?? (failed ? { eingabeOhneCache: 0, cacheLese: 0, cacheSchreib: 0, ausgabeGesamt: 0 } : null)
  );
}

/** Times are UTC; money is exact. The event must have passed the check of the contract. */
export function normalise(event: EventIn, around: Surroundings): CountedEvent {
  const zeitpunkt = withMicros(event.zeitpunkt ?? around.empfangenAm);
  const epochMs = Date.parse(zeitpunkt);
  const { stunde, tag } = around.localHour(epochMs);
  const agent = event.agent || NO_AGENT;
  const status = event.status ?? SUCCESS;
  const failed = status !== SUCCESS;
  const buckets = bucketsOf(event, failed);
  const price = around.prices.rates(event.anbieter ?? null, event.modell ?? null, epochMs);
  const usd = buckets && price ? costOf(buckets, price) : null;
  const rate = around.rates.at(tag);
  return {
    id: event.ereignis_id ?? randomUUID(),
    sent: event,
    zeitpunkt,
    empfangenAm: around.empfangenAm,
    agent,
    projekt: projectOf(event, agent, around),
    endkunde: event.endkunde_ref || null,
    status,
    failed,
    stunde,
    tag,
    kurs: rate.text,
    kursScaled: rate.scaled,
    buckets,
    usd,
    eur: usd === null ? null : usd * rate.scaled,
    preisQuelle: usd === null || !price ? null : price.source,
  };
}
