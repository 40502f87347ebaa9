/** What the events of one Mandant say of their runs and agents, and the span they lie in. */
import { addCount, type Sign } from '#kernel/count.ts';
import { compareInstants, type Microseconds } from '#kernel/microseconds.ts';
import { type CountedEvent, isBurnt } from './normalise.ts';

export interface RunTotal {
  lauf: string;
  agent: string;
  projekt: string;
  endkunde: string | null;
  /** The run it was begun from: the least of those that its calls name. */
  eltern: string | null;
  status: string;
  beginn: Microseconds;
  ende: Microseconds;
  letzterSchritt: number | null;
  aufrufe: number;
  fehler: number;
  unbepreist: number;
  teilbepreist: number;
  eingabe: number | bigint;
  ausgabe: number | bigint;
  cacheLese: number | bigint;
  cacheSchreib: number | bigint;
  denk: number | bigint;
  eingabeOhneCache: number | bigint;
  ausgabeGesamt: number | bigint;
  /** When the last of its calls had ended; milliseconds since 1970. */
  fertig: number;
  /** 10^-24 USD and 10^-34 EUR; null as long as no call has a known price. */
  usd: bigint | null;
  eur: bigint | null;
  ersatzEur: bigint;
  verbranntEur: bigint;
}

function addCost(total: RunTotal, event: CountedEvent, sign: Sign): void {
  if (event.usd === null) total.unbepreist += sign;
  else total.usd = (total.usd ?? 0n) + (sign < 0 ? -event.usd : event.usd);
  if (event.teilbepreist) total.teilbepreist += sign;
  if (event.eur === null) return;
  const eur = sign < 0 ? -event.eur : event.eur;
  total.eur = (total.eur ?? 0n) + eur;
  if (event.kurs.ersatz) total.ersatzEur += eur;
  if (isBurnt(event)) total.verbranntEur += eur;
}

function addCall(total: RunTotal, event: CountedEvent, sign: Sign): void {
  const { sent, buckets } = event;
  total.aufrufe += sign;
  if (event.failed) total.fehler += sign;
  total.eingabe = addCount(total.eingabe, sent.eingabe ?? 0, sign);
  total.ausgabe = addCount(total.ausgabe, sent.ausgabe ?? 0, sign);
  total.cacheLese = addCount(total.cacheLese, sent.cacheLese ?? 0, sign);
  total.cacheSchreib = addCount(total.cacheSchreib, sent.cacheSchreib ?? 0, sign);
  total.denk = addCount(total.denk, sent.denk ?? 0, sign);
  if (buckets) {
    total.eingabeOhneCache = addCount(total.eingabeOhneCache, buckets.eingabeOhneCache, sign);
    total.ausgabeGesamt = addCount(total.ausgabeGesamt, buckets.ausgabeGesamt, sign);
  }
  addCost(total, event, sign);
}

const isLater = (event: CountedEvent, total: RunTotal): boolean =>
  (compareInstants(event, total.ende) || (event.schritt ?? -1) - (total.letzterSchritt ?? -1)) >= 0;

/** A run does not begin itself. */
const lesserParent = ({ lauf, eltern }: RunTotal, named: string): string | null =>
  named === lauf || (eltern !== null && eltern < named) ? eltern : named;

/** When it was, and no more of it: what a run keeps stays until the stretch is written. */
const instantOf = ({ seconds, micros }: CountedEvent): Microseconds => ({ seconds, micros });

/** When the call had ended, whole milliseconds since 1970. */
const endOf = ({ seconds, micros, latenzMs }: CountedEvent): number =>
  Math.min(1_000 * seconds + Math.floor(micros / 1_000) + (latenzMs ?? 0), Number.MAX_SAFE_INTEGER);

const begin = (lauf: string, event: CountedEvent): RunTotal => ({
  lauf,
  agent: event.agent,
  projekt: event.projekt,
  endkunde: event.endkunde,
  eltern: null,
  status: event.status,
  beginn: instantOf(event),
  ende: instantOf(event),
  letzterSchritt: event.schritt,
  aufrufe: 0,
  fehler: 0,
  unbepreist: 0,
  teilbepreist: 0,
  eingabe: 0,
  ausgabe: 0,
  cacheLese: 0,
  cacheSchreib: 0,
  denk: 0,
  eingabeOhneCache: 0,
  ausgabeGesamt: 0,
  fertig: endOf(event),
  usd: null,
  eur: null,
  ersatzEur: 0n,
  verbranntEur: 0n,
});

/** Figures of the runs the events belong to; the latest call decides the status. */
export class Runs {
  readonly totals = new Map<string, RunTotal>();

  /** Adds an event, or takes away what it has added. */
  add(event: CountedEvent, sign: Sign = 1): void {
    const { lauf } = event;
    if (lauf === null) return;
    let total = this.totals.get(lauf);
    if (!total) {
      total = begin(lauf, event);
      this.totals.set(lauf, total);
    } else {
      if (compareInstants(event, total.beginn) < 0) total.beginn = instantOf(event);
      if (isLater(event, total)) {
        total.ende = instantOf(event);
        total.status = event.status;
        total.letzterSchritt = event.schritt;
      }
      total.endkunde ??= event.endkunde;
      total.fertig = Math.max(total.fertig, endOf(event));
    }
    if (event.eltern !== null) total.eltern = lesserParent(total, event.eltern);
    addCall(total, event, sign);
  }
}

/** An agent's latest call, by the calls' own time, the project of that call, and what all its calls cost as far as that is known; 10^-34 EUR. */
export interface AgentCall {
  projekt: string;
  letzterAufruf: Microseconds;
  eur: bigint;
}

/** The agents of the events. */
export class Agents {
  readonly calls = new Map<string, AgentCall>();

  add(event: CountedEvent): void {
    const { agent, projekt, eur } = event;
    const call = this.calls.get(agent);
    if (!call) {
      this.calls.set(agent, { projekt, letzterAufruf: instantOf(event), eur: eur ?? 0n });
      return;
    }
    if (eur !== null) call.eur += eur;
    if (compareInstants(event, call.letzterAufruf) > 0) {
      call.projekt = projekt;
      call.letzterAufruf = instantOf(event);
    }
  }
}

/** First and last of a set of events, by arrival and by their own time. */
export class Span {
  ersterAufruf: Microseconds | null = null;
  letzterAufruf: Microseconds | null = null;
  von: Microseconds | null = null;
  bis: Microseconds | null = null;

  add(event: CountedEvent): void {
    const { received } = event;
    if (!this.ersterAufruf || compareInstants(received, this.ersterAufruf) < 0) this.ersterAufruf = received;
    if (!this.letzterAufruf || compareInstants(received, this.letzterAufruf) > 0)
      this.letzterAufruf = received;
    if (!this.von || compareInstants(event, this.von) < 0) this.von = event;
    if (!this.bis || compareInstants(event, this.bis) > 0) this.bis = event;
  }
}
