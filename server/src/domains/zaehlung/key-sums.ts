/** What the events of one Mandant add up to by the API key they came by, and the local hour; or the local day and what told of them. */
import { SENT_FIELDS } from '#contracts';
import { SUCCESS } from '#domains/ereignisse/index.ts';
import { addCount, type Count, type Sign } from '#kernel/count.ts';
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

/** A dot or a port: providers have neither in their names. */
const ADDRESS = /[.:]|^localhost$/;

const NO_AGENT = SENT_FIELDS.agent.otherwise;

function addGaps(
  total: KeyTotal,
  { lauf, mitFingerabdruck, endkunde, abo, anbieter, agent }: CountedEvent,
  sign: Sign,
): void {
  if (lauf === null) total.ohneLauf += sign;
  if (!mitFingerabdruck) total.ohneFingerabdruck += sign;
  // What a subscription pays for is of nobody on purpose.
  if (!endkunde && !abo) total.ohneEndkunde += sign;
  if (anbieter !== null && ADDRESS.test(anbieter)) total.adresseAlsAnbieter += sign;
  if (agent === NO_AGENT) total.ohneAgent += sign;
}

/** What of its counts a successful call does not say. */
function addUnknown(total: KeyTotal, { sent, status, buckets }: CountedEvent, sign: Sign): void {
  if (status !== SUCCESS) return;
  if (buckets === null) total.ohneToken += sign;
  else if (sent.cacheLese === null) total.ohneCache += sign;
}

function addToken(total: KeyTotal, { sent, buckets }: CountedEvent, sign: Sign): void {
  const cache = addCount(sent.cacheLese ?? 0, sent.cacheSchreib ?? 0);
  total.token = addCount(total.token, cache, sign);
  if (!buckets) return;
  total.token = addCount(total.token, addCount(buckets.eingabeOhneCache, buckets.ausgabeGesamt), sign);
}

function addCost(total: KeyTotal, { usd, eur, abo }: CountedEvent, sign: Sign): void {
  if (usd === null) total.unbepreist += sign;
  else total.usd += sign < 0 ? -usd : usd;
  if (abo) total.abo += sign;
  if (eur === null) return;
  total.eur += sign < 0 ? -eur : eur;
  if (abo) total.aboEur += sign < 0 ? -eur : eur;
}

function addCall(total: KeyTotal, event: CountedEvent, sign: Sign): void {
  total.aufrufe += sign;
  addToken(total, event, sign);
  addGaps(total, event, sign);
  addUnknown(total, event, sign);
  addCost(total, event, sign);
}

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

/** Whether anything is left of what was added and taken away. */
const isSomething = (total: KeyTotal): boolean =>
  KEY_COUNTS.some((name) => total[name] !== 0) ||
  BigInt(total.token) !== 0n ||
  total.usd !== 0n ||
  total.eur !== 0n ||
  total.aboEur !== 0n;

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
  readonly #grouping: Grouping;
  /** By key, then by the name of the group. */
  readonly #totals = new Map<string, Map<string, KeyTotal>>();
  /** Of the event that came last: the next one mostly is of the same key and group. */
  #last: KeyTotal | null = null;

  constructor(grouping: Grouping = BY_HOUR) {
    this.#grouping = grouping;
  }

  /** Adds an event, or takes away what it has added. */
  add(event: CountedEvent, sign: Sign = 1): void {
    const { schluessel } = event;
    if (schluessel === null) return;
    const total = this.#totalOf(schluessel.id, event);
    addCall(total, event, sign);
    if (compareInstants(event, total.letzterAufruf) > 0)
      total.letzterAufruf = { seconds: event.seconds, micros: event.micros };
  }

  /** The keys of which something has changed. */
  keys(): string[] {
    return [...new Set(this.totals().map(({ schluessel }) => schluessel))];
  }

  totals(): KeyTotal[] {
    return Array.from(this.#totals.values(), (groups) => [...groups.values()].filter(isSomething)).flat();
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
