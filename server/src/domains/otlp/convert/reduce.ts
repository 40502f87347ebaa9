/** From the records of a request to what is kept of them: reduced, by trace, packed, without a word of a prompt. */
import type { KeyedPrints } from '#client/prints/sim-hash.ts';
import { FUTURE_LIMIT } from '#domains/ereignisse/index.ts';
import type { OtlpRecord } from '../wire/record.ts';
import { tellsTwice } from './coding.ts';
import { kindOfCalls } from './link.ts';
import { type Sighting, sight } from './sighting.ts';
import { type CustomNames, saysSomebody } from './who.ts';

/** What of a request is about one trace, as the database reads it. */
interface ToldTrace {
  spur: string;
  instanz: string;
  /** What all its calls have in common (`kindOfCalls`). */
  art: string | null;
  /** When its calls were; null where it has none. */
  von: string | null;
  bis: string | null;
  /** Of other things than calls alone: of interest where calls of the trace are known. */
  fremd: boolean;
  /** All is there that its calls need. */
  ganz: boolean;
  /** Where its sightings stand among all of the request, the first byte being 1. */
  ab: number;
  laenge: number;
}

/** What is kept of a request. */
export interface ReducedRecords {
  /** Records that were refused: their time is none. */
  refused: number;
  calls: number;
  /** Whether calls of a trace are looked at soon, and whether those of one must wait. */
  someWhole: boolean;
  someWait: boolean;
  /** JSON: a list of `ToldTrace`. */
  traces: Buffer;
  /** JSON: a list of sightings for each trace, one after the other. */
  sightings: Buffer;
}

/** By what records are reduced. */
export interface ReducedBy {
  names: CustomNames;
  keyed: KeyedPrints;
  now: Date;
  /** ISO; calls before it are not taken. */
  annahmeAb: string | null;
}

/** Whether a call lies in a time that calls can lie in. */
function isDatable({ begin, call }: Sighting, { now, annahmeAb }: ReducedBy): boolean {
  if (call === null) return true;
  const milliseconds = begin / 1_000;
  const first = annahmeAb === null ? 1 : Date.parse(annahmeAb);
  return milliseconds >= first && milliseconds <= now.getTime() + FUTURE_LIMIT;
}

const isForeign = ({ kind, who }: Sighting): boolean => kind === 'foreign' && !saysSomebody(who);

/**
 * Whether all spans of a trace are here up to its root: they end from within outward, so that nothing of the same process is missing.
 * Some programs tell of a call by span and log record, and a log record has its span elsewhere: those wait for each other.
 */
function isWhole(told: readonly Sighting[]): boolean {
  const ids = new Set(told.map(({ id }) => id));
  return told.every(
    ({ signal, programmiert, parent }) =>
      signal === 'span' && !tellsTwice(programmiert) && (parent === null || ids.has(parent)),
  );
}

const isoOf = (microseconds: number): string => new Date(microseconds / 1_000).toISOString();

function traceOf(
  spur: string,
  told: readonly Sighting[],
  place: Pick<ToldTrace, 'ab' | 'laenge'>,
): ToldTrace {
  const calls = told.filter(({ call }) => call !== null);
  const ofOne = calls[0] ?? (told[0] as Sighting);
  const first = calls.reduce((least, { begin }) => Math.min(least, begin), Number.POSITIVE_INFINITY);
  const last = calls.reduce((most, { end }) => Math.max(most, end), 0);
  return {
    spur,
    instanz: ofOne.instanz,
    art: kindOfCalls(calls),
    von: calls.length === 0 ? null : isoOf(first),
    bis: calls.length === 0 ? null : isoOf(last),
    fremd: told.every(isForeign),
    ganz: isWhole(told),
    ...place,
  };
}

/** All that sightings say, packed. */
function pack(sightings: readonly Sighting[]) {
  const packed: Buffer[] = [];
  let ab = 1;
  const traces = [...Map.groupBy(sightings, ({ spur }) => spur)].map(([spur, told]) => {
    const bytes = Buffer.from(JSON.stringify(told));
    packed.push(bytes);
    const trace = traceOf(spur, told, { ab, laenge: bytes.length });
    ab += bytes.length;
    return trace;
  });
  return {
    someWhole: traces.some(({ ganz }) => ganz),
    someWait: traces.some(({ ganz }) => !ganz),
    traces: Buffer.from(JSON.stringify(traces)),
    sightings: Buffer.concat(packed),
  };
}

/** What is kept of records. */
export function reduceRecords(records: readonly OtlpRecord[], by: ReducedBy): ReducedRecords {
  const seen = records.flatMap((record) => sight(record, by.names, by.keyed) ?? []);
  const sightings = seen.filter((each) => isDatable(each, by));
  return {
    refused: seen.length - sightings.length,
    calls: sightings.filter(({ call }) => call !== null).length,
    ...pack(sightings),
  };
}
