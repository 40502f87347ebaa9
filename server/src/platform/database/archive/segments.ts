/**
 * Names of the files of PostgreSQL's write-ahead log, and how they follow each other. A line of time is one run of the log; going
 * back to an instant begins another one, whose `.history` says where it left those before it.
 */
import { MIB } from '../../memory.ts';

/** As `initdb` makes them. */
export const SEGMENT_BYTES = 16 * MIB;
const SEGMENTS_PER_LOG = 2 ** 32 / SEGMENT_BYTES;
const SEGMENT = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})/;
const LOG_FILE = /^(?:[0-9A-F]{24}(?:\.partial|\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/;

export interface Segment {
  timeline: number;
  /** Counted from the beginning of the log, over all lines. */
  number: number;
}

/** A line of time with those it came from, the oldest first. */
export interface Timeline {
  timeline: number;
  /** `until` is the place in the log where the next one begins. */
  before: { timeline: number; until: bigint }[];
  /** When its history came into the archive; null for one that came from none. */
  began: Date | null;
}

/** Whether a file of the log may be called so. */
export const isLogFile = (name: string): boolean => LOG_FILE.test(name);

/** The segment that a file is, or is about; null for a history. */
export function segmentOf(name: string): Segment | null {
  const [, timeline, log, segment] = SEGMENT.exec(name) ?? [];
  if (!timeline || !log || !segment) return null;
  return {
    timeline: Number.parseInt(timeline, 16),
    number: Number.parseInt(log, 16) * SEGMENTS_PER_LOG + Number.parseInt(segment, 16),
  };
}

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');
export const segmentName = ({ timeline, number }: Segment): string =>
  hex(timeline) + hex(Math.floor(number / SEGMENTS_PER_LOG)) + hex(number % SEGMENTS_PER_LOG);
export const historyName = (timeline: number): string => `${hex(timeline)}.history`;

/** A place in the log, as PostgreSQL writes it (`0/3000028`), in bytes from its beginning. */
export function placeInLog(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
export const segmentAt = (place: bigint): number => Number(place / BigInt(SEGMENT_BYTES));

/** Reads the `.history` of a line; null is that of a line that came from none. */
export function timelineOf(timeline: number, history: string | null, began: Date | null = null): Timeline {
  const lines = (history ?? '').split('\n').map((line) => /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/.exec(line));
  const before = lines.flatMap((match) =>
    match ? [{ timeline: Number(match[1]), until: placeInLog(match[2] as string) }] : [],
  );
  return { timeline, before, began };
}

/** Whether a base that was finished at this place lies on the line. */
export function liesOn(line: Timeline, timeline: number, end: bigint): boolean {
  if (timeline === line.timeline) return true;
  const fork = line.before.find((each) => each.timeline === timeline);
  return fork !== undefined && end <= fork.until;
}

export interface Path {
  /** Those there are, without a gap from the first on. */
  segments: Segment[];
  /** The first that is missing though later ones are there; null where none is. */
  missing: Segment | null;
}

/** What of the log leads on from a segment along the line. */
export function pathFrom(start: Segment, line: Timeline, present: readonly Segment[]): Path {
  const spans = [...line.before, { timeline: line.timeline, until: null }].map((span, index, all) => ({
    timeline: span.timeline,
    first: segmentAt(all[index - 1]?.until ?? 0n),
    last: span.until === null ? Number.POSITIVE_INFINITY : segmentAt(span.until),
  }));
  const chain = spans.slice(spans.findIndex(({ timeline }) => timeline === start.timeline));
  const isOn = ({ timeline, number }: Segment) =>
    number >= start.number &&
    chain.some((span) => span.timeline === timeline && number >= span.first && number <= span.last);
  const byNumber = Map.groupBy(present.filter(isOn), ({ number }) => number);
  const last = Math.max(start.number, ...byNumber.keys());
  const segments: Segment[] = [];
  for (let number = start.number; number <= last; number += 1) {
    const found = byNumber.get(number);
    const owner = chain.findLast(({ first }) => number >= first) ?? start;
    if (!found) return { segments, missing: { timeline: owner.timeline, number } };
    segments.push(...found);
  }
  return { segments, missing: null };
}
