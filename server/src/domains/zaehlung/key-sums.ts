/** What the events of one Mandant add up to by the API key they came by and the local hour. */
import { addCount, type Count } from '#kernel/count.ts';
import { compareInstants, type Microseconds } from '#kernel/microseconds.ts';
import type { CountedEvent } from './normalise.ts';

/** The calls of a key in an hour, or what changes of them. */
export interface KeyTotal {
  schluessel: string;
  stunde: string;
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
  letzterAufruf: Microseconds;
}

/** What an event adds to the calls of its key. */
export type KeyAddition = (total: KeyTotal, event: CountedEvent) => void;

/** Nothing but its cost: of a call whose rate is replaced, once taken away and once added. */
export const costOfKey: KeyAddition = (total, event) => {
  if (event.usd !== null) total.usd += event.usd;
  if (event.eur !== null) total.eur += event.eur;
};

/** A call that was counted without a price and has one now. */
export const latePriceOfKey: KeyAddition = (total, event) => {
  total.unbepreist -= 1;
  costOfKey(total, event);
};

/** A dot or a port: providers have neither in their names. */
const ADDRESS = /[.:]|^localhost$/;

function addGaps(total: KeyTotal, { lauf, mitFingerabdruck, endkunde, anbieter }: CountedEvent): void {
  if (lauf === null) total.ohneLauf += 1;
  if (!mitFingerabdruck) total.ohneFingerabdruck += 1;
  if (!endkunde) total.ohneEndkunde += 1;
  if (anbieter !== null && ADDRESS.test(anbieter)) total.adresseAlsAnbieter += 1;
}

function addToken(total: KeyTotal, { sent, buckets }: CountedEvent): void {
  const cache = addCount(sent.cacheLese ?? 0, sent.cacheSchreib ?? 0);
  total.token = addCount(total.token, cache);
  if (buckets) total.token = addCount(total.token, addCount(buckets.eingabeOhneCache, buckets.ausgabeGesamt));
}

const newCall: KeyAddition = (total, event) => {
  total.aufrufe += 1;
  if (event.usd === null) total.unbepreist += 1;
  addToken(total, event);
  addGaps(total, event);
  costOfKey(total, event);
};

const begin = (schluessel: string, event: CountedEvent): KeyTotal => ({
  schluessel,
  stunde: event.stunde,
  aufrufe: 0,
  unbepreist: 0,
  token: 0,
  usd: 0n,
  eur: 0n,
  ohneLauf: 0,
  ohneFingerabdruck: 0,
  ohneEndkunde: 0,
  adresseAlsAnbieter: 0,
  letzterAufruf: { seconds: event.seconds, micros: event.micros },
});

const KEY_COUNTS = [
  'aufrufe',
  'unbepreist',
  'ohneLauf',
  'ohneFingerabdruck',
  'ohneEndkunde',
  'adresseAlsAnbieter',
] as const;

/** A counted call that is taken back. */
export const takenBackOfKey: KeyAddition = (total, event) => {
  const one = begin(total.schluessel, event);
  newCall(one, event);
  for (const name of KEY_COUNTS) total[name] -= one[name];
  total.token = BigInt(total.token) - BigInt(one.token);
  total.usd -= one.usd;
  total.eur -= one.eur;
};

/** Calls without a key are in none of it. */
export class KeySums {
  readonly #add: KeyAddition | null;
  /** By key, then by hour. */
  readonly #totals = new Map<string, Map<string, KeyTotal>>();
  /** Of the event that came last: the next one mostly is of the same key and hour. */
  #last: KeyTotal | null = null;

  /** `addition`: null where nothing that is kept by key changes. */
  constructor(addition: KeyAddition | null = newCall) {
    this.#add = addition;
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
    return Array.from(this.#totals.values(), (hours) => [...hours.values()]).flat();
  }

  #totalOf(schluessel: string, event: CountedEvent): KeyTotal {
    const last = this.#last;
    if (last?.schluessel === schluessel && last.stunde === event.stunde) return last;
    const hours = this.#totals.get(schluessel) ?? new Map<string, KeyTotal>();
    this.#totals.set(schluessel, hours);
    const total = hours.get(event.stunde) ?? begin(schluessel, event);
    hours.set(event.stunde, total);
    this.#last = total;
    return total;
  }
}
