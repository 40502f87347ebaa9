/** Which hour and which day of a time zone an instant belongs to, fast enough for every event. */
import { hourStart } from './zeitraum.ts';

export interface LocalHour {
  /** Instant at which the local hour begins, ISO 8601 in UTC. */
  stunde: string;
  /** Local day, `YYYY-MM-DD`. */
  tag: string;
}

/** All offsets in use are multiples of a quarter of an hour, so a quarter never spans two local hours. */
const QUARTER = 15 * 60_000;
const MAX_CACHED = 20_000;
/** Before it a local hour may begin in the year 0, which PostgreSQL does not know; some programs date calls 0001-01-01. */
const EARLIEST = Temporal.Instant.from('0001-01-02T00:00:00Z').epochMilliseconds;

function compute(quarter: number, zone: string): LocalHour {
  const epochMs = quarter * QUARTER;
  const known = epochMs < EARLIEST ? 'UTC' : zone;
  const local = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(known);
  return { stunde: hourStart(local).toInstant().toString(), tag: local.toPlainDate().toString() };
}

/** A function from epoch milliseconds to the local hour of `zone` (IANA name); remembers what it computed. */
export function createLocalHours(zone: string): (epochMs: number) => LocalHour {
  const cache = new Map<number, LocalHour>();
  return (epochMs) => {
    const quarter = Math.floor(epochMs / QUARTER);
    const known = cache.get(quarter);
    if (known) return known;
    if (cache.size >= MAX_CACHED) cache.clear();
    const hour = compute(quarter, zone);
    cache.set(quarter, hour);
    return hour;
  };
}
