/**
 * How long events are kept. Months are those of UTC, as the partitions of events are; an instant is as ISO 8601 in UTC. Two instants
 * matter: events dated before the one are refused and change no more, and a month later what lies before the other is removed. In
 * between nothing that was accepted, and nothing that works on events, can still need what is removed.
 */
import { LEAST_DAYS_KEPT, type Retention } from '#platform/config.ts';

/** What the packages of all Mandanten say; null is without limit. */
export type PackageDays = readonly (number | null)[];

/** Days that events are kept; null is for ever. By the packages: as long as the longest of them says. */
export function daysKept(retention: Retention | null, packages: PackageDays): number | null {
  if (retention === null) return null;
  if (retention !== 'tarif') return retention;
  if (packages.length === 0 || packages.includes(null)) return null;
  return Math.max(LEAST_DAYS_KEPT, ...packages.map((days) => days ?? 0));
}

const monthOf = (instant: Temporal.Instant) =>
  instant.toZonedDateTimeISO('UTC').with({ day: 1 }).startOfDay();
const later = (first: string | null, second: string | null): string | null => {
  if (first === null || second === null) return first ?? second;
  return Temporal.Instant.compare(first, second) < 0 ? second : first;
};
const movedBy = (instant: string, months: number): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO('UTC').add({ months }).toInstant().toString();

/**
 * From when on events are to be accepted: the month in which this many days ago lies, as a whole. What was removed stays refused, with a
 * month between, however long is kept from now on. Null: always.
 */
export function acceptFrom(days: number | null, removedBefore: string | null, now: Date): string | null {
  const wanted =
    days === null ? null : monthOf(now.toTemporalInstant().subtract({ hours: 24 * days })).toInstant();
  return later(wanted?.toString() ?? null, removedBefore === null ? null : movedBy(removedBefore, 1));
}

/** Before when events may be removed where those before `acceptedFrom` are refused. */
export const removableBefore = (acceptedFrom: string): string => movedBy(acceptedFrom, -1);

/** Rules compare an hour with those of twelve weeks before. */
const MONTHS_OF_HOURS = 3;

/** From when on sums by the hour are kept for everybody: the beginning of a month (UTC). */
export const hoursKeptFrom = (now: Date): string =>
  monthOf(now.toTemporalInstant()).subtract({ months: MONTHS_OF_HOURS }).toInstant().toString();
