/** The month of a budget: the calendar's, in the Mandant's time zone. */
import { hourStart, nextHour } from '#kernel/zeitraum.ts';

const HOUR = 3_600_000;

/** Instants in milliseconds since 1970. */
export interface Month {
  /** `YYYY-MM`. */
  name: string;
  /** IANA name of the zone its days are in. */
  zone: string;
  /** Its first day and the first day after it. */
  first: Temporal.PlainDate;
  next: Temporal.PlainDate;
  begins: number;
  ends: number;
  now: number;
  /** Whole local hours of the last 24, in milliseconds: what the sums of hours that began since then are of. */
  covered: number;
}

export function monthOf(now: Temporal.Instant, zone: string): Month {
  const local = now.toZonedDateTimeISO(zone);
  const first = local.toPlainDate().with({ day: 1 });
  const next = first.add({ months: 1 });
  const dayBefore = now.subtract({ hours: 24 }).toZonedDateTimeISO(zone);
  const hour = hourStart(dayBefore);
  const firstHour = hour.equals(dayBefore) ? hour : nextHour(hour);
  return {
    name: first.toPlainYearMonth().toString(),
    zone,
    first,
    next,
    begins: first.toZonedDateTime(zone).epochMilliseconds,
    ends: next.toZonedDateTime(zone).epochMilliseconds,
    now: now.epochMilliseconds,
    covered: now.epochMilliseconds - firstHour.epochMilliseconds,
  };
}

/** Lengths of the windows that burn rates are of, in milliseconds. */
export const WINDOWS = {
  '5m': HOUR / 12,
  '30m': HOUR / 2,
  '1h': HOUR,
  '6h': 6 * HOUR,
  '3d': 72 * HOUR,
} as const;

export type WindowName = keyof typeof WINDOWS;
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[];
