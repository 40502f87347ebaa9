/** Which window a query asks for, and of which sums it is made up. */
import type { Sentence } from '#kernel/sentence.ts';
import {
  atLocal,
  hourStart,
  isReadable,
  nextHour,
  toUtc,
  type Window,
  wholeHours,
} from '#kernel/zeitraum.ts';
import { GRAINS, type Grain } from './rollup.ts';

/** Why a window cannot be answered; `field` is the query parameter at fault. */
export interface WindowFault {
  field: 'von' | 'bis';
  reason: Sentence;
}

const DEFAULT_DAYS = 30;
const MAX_YEARS = 10;

/** Where a window begins that only says where it ends: local midnight 30 days ago, or 30 days before `bis`. */
function defaultStart(bis: string | undefined, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (bis === undefined) return now.startOfDay().subtract({ days: DEFAULT_DAYS });
  return atLocal(bis, now.timeZoneId).subtract({ days: DEFAULT_DAYS });
}

/**
 * The window of a consumption query (`YYYY-MM-DD` or ISO 8601 in UTC, both optional), widened to whole local hours;
 * without `bis` it ends with the current hour.
 */
export function resolveWindow(
  query: { von?: string | undefined; bis?: string | undefined },
  instant: Temporal.Instant,
  zone: string,
): Window | WindowFault {
  const now = instant.toZonedDateTimeISO(zone);
  const bis = query.bis === undefined ? nextHour(hourStart(now)) : atLocal(query.bis, zone);
  const von = query.von === undefined ? defaultStart(query.bis, now) : atLocal(query.von, zone);
  // Windows reach back to the year 1: there may be events that were counted before those before 1970 were refused.
  if (!isReadable(bis))
    return {
      field: 'bis',
      reason: { de: 'bis liegt außerhalb der Jahre 1 bis 9998', en: 'bis is outside the years 1 to 9998' },
    };
  if (!isReadable(von))
    return {
      field: 'von',
      reason: { de: 'von liegt außerhalb der Jahre 1 bis 9998', en: 'von is outside the years 1 to 9998' },
    };
  if (Temporal.ZonedDateTime.compare(von, bis) >= 0)
    return { field: 'von', reason: { de: 'von muss vor bis liegen', en: 'von must be before bis' } };
  if (Temporal.ZonedDateTime.compare(von.add({ years: MAX_YEARS }), bis) < 0) {
    return {
      field: 'von',
      reason: {
        de: 'zwischen von und bis dürfen höchstens 10 Jahre liegen',
        en: 'between von and bis there may be 10 years at most',
      },
    };
  }
  return wholeHours({ von, bis });
}

/** Sums of one grain that begin from `von` to before `bis` (as its column has them), to be added or taken away. */
export interface Stretch {
  grain: Grain;
  sign: 1 | -1;
  von: string;
  bis: string;
  /** The local day it begins with; beside days, hours do not reach beyond it. */
  tag: string;
}

export const dayAfter = (day: Temporal.ZonedDateTime): Temporal.ZonedDateTime =>
  day.toPlainDate().add({ days: 1 }).toZonedDateTime(day.timeZoneId);

/** Where days and weeks begin and end around an instant, and how long they are, roughly, in milliseconds. */
const SPANS = {
  stunde: { floor: hourStart, ceil: nextHour, ms: 3_600_000 },
  tag: {
    floor: (at: Temporal.ZonedDateTime) => at.startOfDay(),
    ceil: dayAfter,
    ms: 86_400_000,
  },
  woche: {
    floor: (at: Temporal.ZonedDateTime) =>
      at
        .toPlainDate()
        .subtract({ days: at.dayOfWeek - 1 })
        .toZonedDateTime(at.timeZoneId),
    ceil: (at: Temporal.ZonedDateTime) =>
      at
        .toPlainDate()
        .add({ days: 8 - at.dayOfWeek })
        .toZonedDateTime(at.timeZoneId),
    ms: 604_800_000,
  },
};

export type ReadGrain = keyof typeof SPANS;

/** Where the sums of one grain begin (1) or end (-1) to be counted, or the other way round. */
interface Bound {
  grain: ReadGrain;
  at: Temporal.ZonedDateTime;
  delta: number;
}

/**
 * The ways to say "everything before `at`" with sums of these grains, the coarsest first: to the edge of the week before it or
 * after it, and from there on or back with days, likewise with hours.
 */
function waysTo(at: Temporal.ZonedDateTime, [grain, finer, ...finest]: readonly ReadGrain[]): Bound[][] {
  if (!grain) return [];
  const { floor, ceil } = SPANS[grain];
  const below = floor(at);
  if (!finer || below.equals(at)) return [[{ grain, at, delta: -1 }]];
  const on = waysTo(at, [finer, ...finest]);
  return [below, ceil(at)].flatMap((edge) =>
    on.map((way) => [{ grain, at: edge, delta: -1 }, { grain: finer, at: edge, delta: 1 }, ...way]),
  );
}

/** From one bound of a grain to the next: how often its sums are added (or, below zero, taken away). */
interface Range {
  grain: ReadGrain;
  von: Temporal.ZonedDateTime;
  bis: Temporal.ZonedDateTime;
  factor: number;
}

/** The ranges between the bounds of each grain, those that cancel out left out. */
function rangesOf(bounds: Bound[], grains: readonly ReadGrain[]): Range[] {
  return grains.flatMap((grain) => {
    const own = bounds
      .filter((bound) => bound.grain === grain)
      .sort((a, b) => Temporal.ZonedDateTime.compare(a.at, b.at));
    let factor = 0;
    return own.flatMap(({ at, delta }, index) => {
      factor += delta;
      const next = own[index + 1];
      return next && factor !== 0 && !next.at.equals(at) ? [{ grain, von: at, bis: next.at, factor }] : [];
    });
  });
}

/** How many sums a range reads; those ahead of now hardly exist. */
function effortOf({ grain, von, bis, factor }: Range, now: Temporal.Instant): number {
  const end = Math.min(bis.epochMilliseconds, now.epochMilliseconds);
  const count = Math.round((end - von.epochMilliseconds) / SPANS[grain].ms + 0.4);
  return Math.max(count, 0) * Math.abs(factor);
}

const keyOf = (grain: ReadGrain, at: Temporal.ZonedDateTime): string =>
  GRAINS[grain].type === 'date' ? at.toPlainDate().toString() : toUtc(at);

/**
 * What a window of whole local hours is made up of, with as few sums as can be: whole weeks, days and hours, or a week
 * without those days of it that lie outside. `grains` from the coarsest to the finest that may be used.
 */
export function splitWindow(
  { von, bis }: Window,
  grains: readonly ReadGrain[],
  now: Temporal.Instant,
): Stretch[] {
  const starts = waysTo(von, grains).map((way) => way.map((bound) => ({ ...bound, delta: -bound.delta })));
  const ways = waysTo(bis, grains).flatMap((end) =>
    starts.map((start) => rangesOf([...start, ...end], grains)),
  );
  const effort = (way: Range[]) => way.reduce((sum, range) => sum + effortOf(range, now), 0);
  const [best = []] = ways
    .map((way) => ({ way, effort: effort(way) }))
    .sort((a, b) => a.effort - b.effort)
    .map(({ way }) => way);
  return best.flatMap(({ grain, factor, ...ends }) =>
    Array.from({ length: Math.abs(factor) }, () => ({
      grain,
      sign: factor > 0 ? (1 as const) : (-1 as const),
      von: keyOf(grain, ends.von),
      bis: keyOf(grain, ends.bis),
      tag: ends.von.toPlainDate().toString(),
    })),
  );
}
