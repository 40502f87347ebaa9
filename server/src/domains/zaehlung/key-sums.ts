/** What the events of one Mandant add up to by the API key they came by, and the local hour; or the local day and what told of them. */
import { SENT_FIELDS } from '#contracts';
import { SUCCESS } from '#domains/ereignisse/index.ts';
import { addCount, type Count } from '#kernel/count.ts';
import { compareInstants, type Microseconds } from '#kernel/microseconds.ts';
import type { Herkunft } from './herkunft.ts';
import type { CountedEvent } from './normalise.ts';

/** Some calls of a key, or what changes of them. */
export interface KeyTotal {
  schluessel: string;
  /** Of the first of them, as the two that follow: those that it is a total of are of all. */
  stunde: string;
  tag: string;
  herkunft: Herkunft;
  aufrufe: number;
  unbepreist: number;
  token: Count;
  /** 10^-24 USD and 10^-34 EUR. */
  usd: bigint;
  eur: bigint;
  ohneLauf: number;
  ohneFingerabdruck: number;
  ohneEndkunde: number;
  adresseAlsAnbieter: number;
  ohneAgent: number;
  ohneCache: number;
  ohneToken: number;
  /** Those that a subscription pays for, and 10^-34 EUR of them. */
  abo: number;
  aboEur: bigint;
  letzterAufruf: Microseconds;
}

/** What an event adds to the calls of its key. */
export type KeyAddition = (total: KeyTotal, event: CountedEvent) => void;

/** Nothing but its cost: of a call whose rate is replaced, once taken away and once added. */
export const costOfKey: KeyAddition = (total, event) => {
  if (event.usd !== null) total.usd += event.usd;
  if (event.eur === null) return;
  total.eur += event.eur;
  if (event.abo) total.aboEur += event.eur;
};

/** A call that was counted without a price and has one now. */
export const latePriceOfKey: KeyAddition = (total, event) => {
  total.unbepreist -= 1;
  costOfKey(total, event);
};

/** A dot or a port: providers have neither in their names. */
const ADDRESS = /[.:]|^localhost$/;

const NO_AGENT = SENT_FIELDS.agent.otherwise;

function addGaps(
  total: KeyTotal,
  { lauf, mitFingerabdruck, endkunde, abo, anbieter, agent }: CountedEvent,
): void {
  if (lauf === null) total.ohneLauf += 1;
  if (!mitFingerabdruck) total.ohneFingerabdruck += 1;
  // What a subscription pays for is of nobody on purpose.
  if (!endkunde && !abo) total.ohneEndkunde += 1;
  if (anbieter !== null && ADDRESS.test(anbieter)) total.adresseAlsAnbieter += 1;
  if (agent === NO_AGENT) total.ohneAgent += 1;
}

/** What of its counts a successful call does not say. */
function addUnknown(total: KeyTotal, { sent, status, buckets }: CountedEvent): void {
  if (status !== SUCCESS) return;
  if (buckets === null) total.ohneToken += 1;
  else if (sent.cacheLese === null) total.ohneCache += 1;
}

function addToken(total: KeyTotal, { sent, buckets }: CountedEvent): void {
  const cache = addCount(sent.cacheLese ?? 0, sent.cacheSchreib ?? 0);
  total.token = addCount(total.token, cache);
  if (buckets) total.token = addCount(total.token, addCount(buckets.eingabeOhneCache, buckets.ausgabeGesamt));
}

export const newCall: KeyAddition = (total, event) => {
  total.aufrufe += 1;
  if (event.usd === null) total.unbepreist += 1;
  addToken(total, event);
  addGaps(total, event);
  addUnknown(total, event);
  if (event.abo) total.abo += 1;
  costOfKey(total, event);
};

const begin = (schluessel: string, event: CountedEvent): KeyTotal => ({
  schluessel,
  stunde: event.stunde,
  tag: event.tag,
  herkunft: event.herkunft,
  aufrufe: 0,
  unbepreist: 0,
  token: 0,
  usd: 0n,
  eur: 0n,
  ohneLauf: 0,
  ohneFingerabdruck: 0,
  ohneEndkunde: 0,
  adresseAlsAnbieter: 0,
  ohneAgent: 0,
  ohneCache: 0,
  ohneToken: 0,
  abo: 0,
  aboEur: 0n,
  letzterAufruf: { seconds: event.seconds, micros: event.micros },
});

const KEY_COUNTS = [
  'aufrufe',
  'unbepreist',
  'ohneLauf',
  'ohneFingerabdruck',
  'ohneEndkunde',
  'adresseAlsAnbieter',
  'ohneAgent',
  'ohneCache',
  'ohneToken',
  'abo',
] as const;

/** A counted call that is taken back. */
export const takenBackOfKey: KeyAddition = (total, event) => {
  const one = begin(total.schluessel, event);
  newCall(one, event);
  for (const name of KEY_COUNTS) total[name] -= one[name];
  total.token = BigInt(total.token) - BigInt(one.token);
  total.usd -= one.usd;
  total.eur -= one.eur;
  total.aboEur -= one.aboEur;
};

/** What of two totals is added up. */
export function addTotal(total: KeyTotal, other: KeyTotal): void {
  for (const name of KEY_COUNTS) total[name] += other[name];
  total.token = addCount(total.token, other.token);
  total.usd += other.usd;
  total.eur += other.eur;
  total.aboEur += other.aboEur;
  if (compareInstants(other.letzterAufruf, total.letzterAufruf) > 0)
    total.letzterAufruf = other.letzterAufruf;
}

/** Which calls of a key are in one total. */
export interface Grouping {
  holds(total: KeyTotal, event: CountedEvent): boolean;
  nameOf(event: CountedEvent): string;
}

const BY_HOUR: Grouping = {
  holds: ({ stunde }, event) => stunde === event.stunde,
  nameOf: ({ stunde }) => stunde,
};

/** Calls without a key are in none of it. */
export class KeySums {
  readonly #add: KeyAddition | null;
  readonly #grouping: Grouping;
  /** By key, then by the name of the group. */
  readonly #totals = new Map<string, Map<string, KeyTotal>>();
  /** Of the event that came last: the next one mostly is of the same key and group. */
  #last: KeyTotal | null = null;

  /** `addition`: null where nothing that is kept by key changes. */
  constructor(addition: KeyAddition | null = newCall, grouping: Grouping = BY_HOUR) {
    this.#add = addition;
    this.#grouping = grouping;
  }

  add(event: CountedEvent): void {
    const { schluessel } = event;
    if (schluessel === null || this.#add === null) return;
    const total = this.#totalOf(schluessel.id, event);
    this.#add(total, event);
    if (compareInstants(event, total.letzterAufruf) > 0)
      total.letzterAufruf = { seconds: event.seconds, micros: event.micros };
  }

  /** The keys that are named. */
  keys(): string[] {
    return [...this.#totals.keys()];
  }

  totals(): KeyTotal[] {
    return Array.from(this.#totals.values(), (groups) => [...groups.values()]).flat();
  }

  #totalOf(schluessel: string, event: CountedEvent): KeyTotal {
    const last = this.#last;
    if (last?.schluessel === schluessel && this.#grouping.holds(last, event)) return last;
    const groups = this.#totals.get(schluessel) ?? new Map<string, KeyTotal>();
    this.#totals.set(schluessel, groups);
    const name = this.#grouping.nameOf(event);
    const total = groups.get(name) ?? begin(schluessel, event);
    groups.set(name, total);
    this.#last = total;
    return total;
  }
}
