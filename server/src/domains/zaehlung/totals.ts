/**
 * What a set of counted events adds up to: sums per hour, per day, per run, and when each agent last called. Exact:
 * integers beyond 2^53 turn into BigInt.
 */
import { compareInstants, type Microseconds } from '#kernel/microseconds.ts';
import type { CountedEvent } from './normalise.ts';

type Count = number | bigint;

export interface Figures {
  aufrufe: number;
  fehler: number;
  unbepreist: number;
  geschaetzt: number;
  eingabe: Count;
  ausgabe: Count;
  cacheLese: Count;
  cacheSchreib: Count;
  denk: Count;
  usd: bigint | null;
  eur: bigint | null;
  geschaetztEur: bigint | null;
  verbranntEur: bigint;
}

export interface HourTotal extends Figures {
  stunde: string;
  tag: string;
  agent: string;
  projekt: string;
  endkunde: string;
  anbieter: string;
  modell: string;
  kurs: string;
}

export type DayTotal = Omit<HourTotal, 'stunde' | 'kurs'>;

export interface RunTotal extends Figures {
  lauf: string;
  agent: string;
  projekt: string;
  endkunde: string | null;
  status: string;
  beginn: Microseconds;
  ende: Microseconds;
  letzterSchritt: number | null;
}

const addCount = (a: Count, b: Count): Count => {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum <= Number.MAX_SAFE_INTEGER) return sum;
  }
  return BigInt(a) + BigInt(b);
};

const addMoney = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null ? b : b === null ? a : a + b;

const nothing = (): Figures => ({
  aufrufe: 0,
  fehler: 0,
  unbepreist: 0,
  geschaetzt: 0,
  eingabe: 0,
  ausgabe: 0,
  cacheLese: 0,
  cacheSchreib: 0,
  denk: 0,
  usd: null,
  eur: null,
  geschaetztEur: null,
  verbranntEur: 0n,
});

function addEvent(total: Figures, event: CountedEvent): void {
  const { sent } = event;
  total.aufrufe += 1;
  if (event.failed) {
    total.fehler += 1;
    if (event.eur !== null) total.verbranntEur += event.eur;
  }
  if (event.usd === null) total.unbepreist += 1;
  if (event.geschaetzt) {
    total.geschaetzt += 1;
    total.geschaetztEur = addMoney(total.geschaetztEur, event.eur);
  }
  total.eingabe = addCount(total.eingabe, sent.eingabe ?? 0);
  total.ausgabe = addCount(total.ausgabe, sent.ausgabe ?? 0);
  total.cacheLese = addCount(total.cacheLese, sent.cacheLese ?? 0);
  total.cacheSchreib = addCount(total.cacheSchreib, sent.cacheSchreib ?? 0);
  total.denk = addCount(total.denk, sent.denk ?? 0);
  total.usd = addMoney(total.usd, event.usd);
  total.eur = addMoney(total.eur, event.eur);
}

/** What an event adds to a total: the event itself, or what changed when its price became known. */
export type Addition = (total: Figures, event: CountedEvent) => void;

/** An event that was counted without a price and has one now. */
export const addLatePrice: Addition = (total, event) => {
  total.unbepreist -= 1;
  total.usd = addMoney(total.usd, event.usd);
  total.eur = addMoney(total.eur, event.eur);
  if (event.geschaetzt) total.geschaetztEur = addMoney(total.geschaetztEur, event.eur);
  if (event.failed && event.eur !== null) total.verbranntEur += event.eur;
};

function addFigures(total: Figures, part: Figures): void {
  total.aufrufe += part.aufrufe;
  total.fehler += part.fehler;
  total.unbepreist += part.unbepreist;
  total.geschaetzt += part.geschaetzt;
  total.eingabe = addCount(total.eingabe, part.eingabe);
  total.ausgabe = addCount(total.ausgabe, part.ausgabe);
  total.cacheLese = addCount(total.cacheLese, part.cacheLese);
  total.cacheSchreib = addCount(total.cacheSchreib, part.cacheSchreib);
  total.denk = addCount(total.denk, part.denk);
  total.usd = addMoney(total.usd, part.usd);
  total.eur = addMoney(total.eur, part.eur);
  total.geschaetztEur = addMoney(total.geschaetztEur, part.geschaetztEur);
  total.verbranntEur += part.verbranntEur;
}

const sortedByKey = <T>(totals: Map<string, T>): T[] =>
  [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total);

function addToHours(totals: Map<string, HourTotal>, event: CountedEvent, add: Addition): void {
  const anbieter = event.anbieter ?? '';
  const modell = event.modell ?? '';
  const endkunde = event.endkunde ?? '';
  const key = `${event.stunde}\0${event.agent}\0${event.projekt}\0${endkunde}\0${anbieter}\0${modell}\0${event.kurs}`;
  let total = totals.get(key);
  if (!total) {
    const { stunde, tag, agent, projekt, kurs } = event;
    total = { ...nothing(), stunde, tag, agent, projekt, endkunde, anbieter, modell, kurs };
    totals.set(key, total);
  }
  add(total, event);
}

/** The same per local day, out of the hours. */
export function dayTotals(hours: HourTotal[]): DayTotal[] {
  const totals = new Map<string, DayTotal>();
  for (const hour of hours) {
    const { tag, agent, projekt, endkunde, anbieter, modell } = hour;
    const key = `${tag}\0${agent}\0${projekt}\0${endkunde}\0${anbieter}\0${modell}`;
    let total = totals.get(key);
    if (!total) {
      total = { ...nothing(), tag, agent, projekt, endkunde, anbieter, modell };
      totals.set(key, total);
    }
    addFigures(total, hour);
  }
  return sortedByKey(totals);
}

const isLater = (event: CountedEvent, total: RunTotal): boolean =>
  (compareInstants(event, total.ende) || (event.schritt ?? -1) - (total.letzterSchritt ?? -1)) >= 0;

function addToRuns(totals: Map<string, RunTotal>, event: CountedEvent, add: Addition): void {
  const { lauf } = event;
  if (lauf === null) return;
  let total = totals.get(lauf);
  if (!total) {
    const { agent, projekt, endkunde, status, schritt } = event;
    total = {
      ...nothing(),
      lauf,
      agent,
      projekt,
      endkunde,
      status,
      beginn: event,
      ende: event,
      letzterSchritt: schritt,
    };
    totals.set(lauf, total);
  } else {
    if (compareInstants(event, total.beginn) < 0) total.beginn = event;
    if (isLater(event, total)) {
      total.ende = event;
      total.status = event.status;
      total.letzterSchritt = event.schritt;
    }
    total.endkunde ??= event.endkunde;
  }
  add(total, event);
}

/** An agent with its latest call, by the calls' own time, and the project of that call. */
export interface AgentTotal {
  agent: string;
  projekt: string;
  letzterAufruf: Microseconds;
}

function addToAgents(totals: Map<string, AgentTotal>, event: CountedEvent): void {
  const { agent, projekt } = event;
  const total = totals.get(agent);
  if (!total) totals.set(agent, { agent, projekt, letzterAufruf: event });
  else if (compareInstants(event, total.letzterAufruf) > 0) {
    total.projekt = projekt;
    total.letzterAufruf = event;
  }
}

/** First and last of a set of events, by arrival and by their own time. */
export interface Span {
  ersterAufruf: Microseconds;
  letzterAufruf: Microseconds;
  von: Microseconds;
  bis: Microseconds;
}

function widen(span: Span | null, event: CountedEvent): Span {
  const { received } = event;
  if (!span) return { ersterAufruf: received, letzterAufruf: received, von: event, bis: event };
  if (compareInstants(received, span.ersterAufruf) < 0) span.ersterAufruf = received;
  if (compareInstants(received, span.letzterAufruf) > 0) span.letzterAufruf = received;
  if (compareInstants(event, span.von) < 0) span.von = event;
  if (compareInstants(event, span.bis) > 0) span.bis = event;
  return span;
}

/** Sums that grow event by event, so that the events themselves need not be kept. */
export interface Totals {
  add(event: CountedEvent): void;
  /** How many events were added. */
  count(): number;
  /** Null when there were none. */
  span(): Span | null;
  /** Consumption per hour and key, sorted by the key. */
  hours(): HourTotal[];
  /** Figures of the runs the events belong to; the latest call decides the status. */
  runs(): RunTotal[];
  /** The agents of the events, sorted by their key. */
  agents(): AgentTotal[];
}

export function createTotals(addition: Addition = addEvent): Totals {
  const hours = new Map<string, HourTotal>();
  const runs = new Map<string, RunTotal>();
  const agents = new Map<string, AgentTotal>();
  let span: Span | null = null;
  let count = 0;
  return {
    add(event) {
      count += 1;
      span = widen(span, event);
      addToHours(hours, event, addition);
      addToRuns(runs, event, addition);
      addToAgents(agents, event);
    },
    count: () => count,
    span: () => span,
    hours: () => sortedByKey(hours),
    runs: () => sortedByKey(runs),
    agents: () => sortedByKey(agents),
  };
}
