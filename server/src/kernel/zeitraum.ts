/**
 * Periods in a Mandant's time zone. Days are local days and may last 23 or 25 hours; hours are those the local clock
 * shows, so that they begin at :30 UTC in a zone that is half an hour off.
 */

/** From `von` to before `bis`; both carry the time zone. */
export interface Window {
  von: Temporal.ZonedDateTime;
  bis: Temporal.ZonedDateTime;
}

export interface Zeitraum extends Window {
  aufloesung: 'stunde' | 'tag';
  /** As many days just before `von`, as far as the period itself has elapsed. */
  vorher: Window;
}

interface Tage {
  von: Temporal.PlainDate;
  /** The first day after the period. */
  bis: Temporal.PlainDate;
}

const MAX_DAYS = 366;
const MAX_DAYS_BY_HOUR = 2;

const lastDays =
  (count: number) =>
  (today: Temporal.PlainDate): Tage => ({
    von: today.subtract({ days: count - 1 }),
    bis: today.add({ days: 1 }),
  });

const WORDS: Record<string, (today: Temporal.PlainDate) => Tage> = {
  heute: lastDays(1),
  gestern: (today) => ({ von: today.subtract({ days: 1 }), bis: today }),
  '7tage': lastDays(7),
  '30tage': lastDays(30),
  '90tage': lastDays(90),
  // Monday is day 1 of the week.
  woche: (today) => ({ von: today.subtract({ days: today.dayOfWeek - 1 }), bis: today.add({ days: 1 }) }),
  monat: (today) => ({ von: today.with({ day: 1 }), bis: today.add({ days: 1 }) }),
  vormonat: (today) => {
    const first = today.with({ day: 1 });
    return { von: first.subtract({ months: 1 }), bis: first };
  },
  jahr: (today) => ({ von: today.with({ month: 1, day: 1 }), bis: today.add({ days: 1 }) }),
};

function parseDay(text: string): Temporal.PlainDate | null {
  try {
    const day = Temporal.PlainDate.from(text);
    return isStorable(day) ? day : null;
  } catch {
    return null;
  }
}

function parseDays(text: string, today: Temporal.PlainDate): Tage | null {
  if (Object.hasOwn(WORDS, text)) return WORDS[text]?.(today) ?? null;
  const match = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(text);
  const von = match?.[1] ? parseDay(match[1]) : null;
  const last = match?.[2] ? parseDay(match[2]) : null;
  if (!von || !last || Temporal.PlainDate.compare(last, von) < 0) return null;
  const days = daysBetween(von, last) + 1;
  if (days > MAX_DAYS) return null;
  const isCurrent =
    Temporal.PlainDate.compare(von, today) <= 0 && Temporal.PlainDate.compare(today, last) < 0;
  return { von, bis: (isCurrent ? today : last).add({ days: 1 }) };
}

const daysBetween = (von: Temporal.PlainDate, bis: Temporal.PlainDate): number =>
  von.until(bis, { largestUnit: 'days' }).days;

function earlier(a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  return Temporal.ZonedDateTime.compare(a, b) <= 0 ? a : b;
}

/** The days before the period: all of them, or up to the same day and the same time since its midnight as `now`. */
function before(tage: Tage, now: Temporal.ZonedDateTime): Window {
  const zone = now.timeZoneId;
  const first = tage.von.subtract({ days: daysBetween(tage.von, tage.bis) });
  const von = first.toZonedDateTime(zone);
  const end = tage.von.toZonedDateTime(zone);
  const elapsedDays = daysBetween(tage.von, now.toPlainDate());
  if (elapsedDays < 0) return { von, bis: von };
  const sinceMidnight = now.startOfDay().until(now, { largestUnit: 'hours' });
  const bis = first.add({ days: elapsedDays }).toZonedDateTime(zone).add(sinceMidnight);
  return { von, bis: earlier(bis, end) };
}

/**
 * Reads a period of the cockpit: `heute`, `gestern`, `7tage`, `30tage`, `90tage` (today included), `woche` (from
 * Monday), `monat`, `vormonat`, `jahr`, or `YYYY-MM-DD..YYYY-MM-DD` with both days included. A period that contains
 * `now` ends with the current day. Null for anything else: unknown, reversed, more than 366 days, before 1970.
 */
export function parseZeitraum(text: string, now: Temporal.Instant, zone: string): Zeitraum | null {
  const local = now.toZonedDateTimeISO(zone);
  const tage = parseDays(text, local.toPlainDate());
  if (!tage) return null;
  return {
    von: tage.von.toZonedDateTime(zone),
    bis: tage.bis.toZonedDateTime(zone),
    aufloesung: daysBetween(tage.von, tage.bis) <= MAX_DAYS_BY_HOUR ? 'stunde' : 'tag',
    vorher: before(tage, local),
  };
}

/** Whether a day lies in the years 1970 to 9998, where every text form of it and of its neighbours has four digits. */
export const isStorable = (day: { year: number }): boolean => day.year >= 1970 && day.year <= 9998;

/** A day (`YYYY-MM-DD`) is its local midnight; an instant (ISO 8601) is itself. */
export function atLocal(text: string, zone: string): Temporal.ZonedDateTime {
  return text.length === 10
    ? Temporal.PlainDate.from(text).toZonedDateTime(zone)
    : Temporal.Instant.from(text).toZonedDateTimeISO(zone);
}

/** Of the years 1 to 9998 every text form has four digits, in every zone. */
export const isReadable = ({ year }: Temporal.ZonedDateTime): boolean => year >= 1 && year <= 9998;

/** The beginning of the local hour that contains the instant. */
export const hourStart = (instant: Temporal.ZonedDateTime): Temporal.ZonedDateTime =>
  instant.round({ smallestUnit: 'hour', roundingMode: 'floor' });

/** The beginning of the local hour after the one that contains the instant. */
export function nextHour(instant: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const start = hourStart(instant);
  const next = hourStart(start.add({ hours: 1 }));
  // Where the clock goes back by half an hour, that hour lasts one and a half.
  return Temporal.ZonedDateTime.compare(next, start) > 0 ? next : hourStart(start.add({ hours: 2 }));
}

/** Widens a window outward to whole local hours. */
export function wholeHours({ von, bis }: Window): Window {
  const floor = hourStart(bis);
  return { von: hourStart(von), bis: floor.equals(bis) ? bis : nextHour(bis) };
}

/** ISO 8601 with the offset of the zone, to the second: `2026-10-25T02:00:00+01:00`. */
export const toIsoWithOffset = (instant: Temporal.ZonedDateTime): string =>
  instant.toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });

const FIRST = Temporal.Instant.from('0001-01-01T00:00:00Z');

/** An instant as the database takes it: ISO 8601 in UTC. It knows no year 0; nothing was ever dated before the year 1. */
export function toUtc(zoned: Temporal.ZonedDateTime): string {
  const instant = zoned.toInstant();
  return (Temporal.Instant.compare(instant, FIRST) < 0 ? FIRST : instant).toString();
}

/** An hour or a day. */
export interface Bucket {
  /** An hour as ISO 8601 with offset, a day as `YYYY-MM-DD`. */
  key: string;
  begin: Temporal.Instant;
}

/** All that begin in the period and not after `until`, ascending. */
export function bucketsIn(
  zeitraum: Window & { aufloesung: 'stunde' | 'tag' },
  until: Temporal.Instant,
): Bucket[] {
  const byHour = zeitraum.aufloesung === 'stunde';
  const buckets: Bucket[] = [];
  const end = zeitraum.bis.toInstant();
  const isWithin = (begin: Temporal.Instant) =>
    Temporal.Instant.compare(begin, end) < 0 && Temporal.Instant.compare(begin, until) <= 0;
  let start = zeitraum.von;
  for (let begin = start.toInstant(); isWithin(begin); begin = start.toInstant()) {
    buckets.push({ key: byHour ? toIsoWithOffset(start) : start.toPlainDate().toString(), begin });
    start = byHour ? nextHour(start) : start.toPlainDate().add({ days: 1 }).toZonedDateTime(start.timeZoneId);
  }
  return buckets;
}
