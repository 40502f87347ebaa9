/** Calls as the detectors' references look at them, worked out from the events as they were sent. */
import type { Decimal } from 'decimal.js';
import type { Ereignis } from '#client/index.ts';
import { Exact, type Rates, ratesOf, tokensOf, usdOf } from '../reference-cost.ts';

/** EUR for one USD. */
export const RATE = '0.86';

export interface Call {
  sent: Ereignis;
  id: string;
  ms: number;
  iso: string;
  lauf: string | null;
  schritt: number | null;
  agent: string;
  modell: string;
  prompt: string | null;
  tool: string | null;
  /** Whether it ended otherwise than well. */
  failed: boolean;
  /** … and not because nobody wanted it any more. */
  isError: boolean;
  /** Print of its result; null when not told. */
  result: string | null;
  latency: number;
  /** Input in all; what of it is read from the cache, and not cached at all. */
  T: number;
  R: number;
  U: number;
  /** Null when no counts were told. */
  output: number | null;
  denk: number;
  eur: Decimal | null;
  rates: Rates | null;
}

/** A run: its calls in order, every one of them. */
export interface Run {
  lauf: string;
  steps: Call[];
  /** All runs of the Mandant by their id, with the agent that each is attributed to, and whether the look holds calls of it. */
  all: ReadonlyMap<string, { agent: string; endkunde: string | null; calls: Call[]; isInLook: boolean }>;
}

/** As the service gives instants: no zeros at the end of a fraction. */
export const isoOf = (ms: number): string => Temporal.Instant.fromEpochMilliseconds(ms).toString();

/** Of what is repeated on purpose the prints count as not said. */
function printsOf({ zusatz, prompt_fingerabdruck, werkzeug_fingerabdruck }: Ereignis) {
  const free = (zusatz ?? {}) as Record<string, unknown>;
  const result = (free.ergebnis_fingerabdruck as string | undefined) ?? null;
  if (free.wiederholung_gewollt === true) return { prompt: null, tool: null, result };
  return { prompt: prompt_fingerabdruck ?? null, tool: werkzeug_fingerabdruck ?? null, result };
}

export function toCall(sent: Ereignis): Call {
  const ms = Date.parse(sent.zeitpunkt as string);
  const tokens = tokensOf(sent);
  const status = sent.status ?? 'erfolgreich';
  const failed = status !== 'erfolgreich';
  const isError = failed && status !== 'abgebrochen';
  const [U, R, W] = tokens ? [tokens.uncached, tokens.read, tokens.write].map(Number) : [0, 0, 0];
  const T = (U as number) + (R as number) + (W as number);
  return {
    sent,
    id: sent.ereignis_id as string,
    ms,
    iso: isoOf(ms),
    lauf: sent.lauf_id ?? null,
    schritt: sent.schritt_nr ?? null,
    agent: sent.agent as string,
    modell: sent.modell ?? '',
    ...printsOf(sent),
    latency: sent.latenz_ms ?? 0,
    failed,
    isError,
    T,
    R: R as number,
    U: U as number,
    output: tokens ? Number(tokens.output) : isError ? 0 : null,
    denk: sent.denk_token ?? 0,
    eur: usdOf(sent, new Date(ms))?.mul(RATE) ?? null,
    rates: ratesOf(sent, new Date(ms), new Exact(T)),
  };
}

/** Sum of what is known; null when nothing is. */
export function sum(values: (Decimal | null)[]): string | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a.plus(b), new Exact(0)).toFixed();
}

export const cost = (calls: Call[]): string | null => sum(calls.map(({ eur }) => eur));

export const distinct = <T>(values: T[], most: number): T[] => [...new Set(values)].sort().slice(0, most);

export const latest = (calls: Call[]): string => isoOf(Math.max(...calls.map(({ ms }) => ms)));

/** Calls by a key of theirs. */
export const by = (calls: Call[], key: (call: Call) => string): Call[][] => [
  ...Map.groupBy(calls, key).values(),
];

/** Step number (none last), time, id. */
export function inOrder(calls: Call[]): Call[] {
  return [...calls]
    .sort(
      (a, b) =>
        (a.schritt ?? Infinity) - (b.schritt ?? Infinity) ||
        a.ms - b.ms ||
        (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
    )
    .sort((a, b) => Number(a.schritt === null) - Number(b.schritt === null));
}

export const byTime = (calls: Call[]): Call[] =>
  [...calls].sort((a, b) => a.ms - b.ms || (a.id < b.id ? -1 : 1));

/** What a detector is expected to find. */
export interface Expected {
  objekt: string;
  fensterBeginn: string;
  werte: Record<string, unknown>;
  kostenEur: string | null;
  verbranntEur: string | null;
  potentialEur: string | null;
  /** There where it stops nothing, whatever its rule says. */
  warnsOnly?: true;
}

/** Beginning of the local hour or day of a call. */
export function beginOf(call: Call, unit: 'hour' | 'day', zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(call.ms).toZonedDateTimeISO(zone);
  const begin = unit === 'day' ? local.startOfDay() : local.with({ minute: 0, second: 0, millisecond: 0 });
  return begin.toInstant().toString();
}

/** Milliseconds from the end of a call to the beginning of the next. */
export const pauseOf = (before: Call, now: Call): number =>
  now.ms - before.ms - Math.max(before.latency, now.latency);

const isLike = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** Whether a rule leaves the call out. */
export const isExcepted = (
  { parameter }: { parameter: { ausnahmen: readonly string[] } },
  { agent, sent }: Call,
): boolean =>
  parameter.ausnahmen.some((pattern) => isLike(agent, pattern) || isLike(sent.funktion_ref ?? '', pattern));
