/** Which sums a limit is held against at an instant. No input or output here. */
import { minutesOf } from '#domains/regeln/index.ts';
import { hourStart, nextHour, toUtc } from '#kernel/zeitraum.ts';

/** Sums that begin from `since` to before `until`, instants in ISO 8601. */
export interface Sums {
  grain: 'minute' | 'stunde';
  since: string;
  until: string;
  /** When the limit has begun, ISO 8601; where it slides, the local day. */
  begins: string;
  /** When it begins anew, ISO 8601; null where it slides. */
  ends: string | null;
}

/** Longer windows slide by the hour: sums by the minute do not reach back far enough. */
const MOST_BY_MINUTE = 20 * 60;
/** Calls may be dated so far ahead. */
const AHEAD = { hours: 25 };

/** Whole local days or hours, up to when the limit begins anew. */
const calendar = (from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime): Sums => ({
  grain: 'stunde',
  since: toUtc(from),
  until: toUtc(to),
  begins: toUtc(from),
  ends: toUtc(to),
});

/** The window of a rule: a part of the calendar, else a duration that ends now, never shorter than it says. */
export function sumsOf(zeitfenster: string, now: Temporal.ZonedDateTime): Sums {
  const today = now.startOfDay();
  if (zeitfenster === 'tag')
    return calendar(today, today.toPlainDate().add({ days: 1 }).toZonedDateTime(now.timeZoneId));
  if (zeitfenster === 'monat') return monthOf(now);
  if (zeitfenster === 'stunde') {
    const hour = hourStart(now);
    return calendar(hour, nextHour(hour));
  }
  const minutes = minutesOf(zeitfenster) ?? 24 * 60;
  const slides = { until: toUtc(now.add(AHEAD)), begins: toUtc(today), ends: null };
  if (minutes > MOST_BY_MINUTE)
    return { grain: 'stunde', since: toUtc(hourStart(now.subtract({ minutes }))), ...slides };
  const since = now.subtract({ minutes }).round({ smallestUnit: 'minute', roundingMode: 'floor' });
  return { grain: 'minute', since: toUtc(since), ...slides };
}

/** The month of a budget. */
export function monthOf(now: Temporal.ZonedDateTime): Sums {
  const first = now.startOfDay().with({ day: 1 });
  return calendar(first, first.toPlainDate().add({ months: 1 }).toZonedDateTime(now.timeZoneId));
}
