/** Instants and days as people read them, in a time zone. Instants are ISO 8601, days `YYYY-MM-DD`. */
import { type Language, localeOf } from './number.ts';

const styles = {
  /** 21.11.2026 */
  day: { day: '2-digit', month: '2-digit', year: 'numeric' },
  /** Sa., 21.11. */
  dayShort: { weekday: 'short', day: '2-digit', month: '2-digit' },
  /** Nov. 2026 */
  month: { month: 'short', year: 'numeric' },
  /** November 2026 */
  monthLong: { month: 'long', year: 'numeric' },
  /** 21.11. */
  dayTick: { day: '2-digit', month: '2-digit' },
  /** Sa., 21.11., 14:05 */
  dayTimeShort: { weekday: 'short', day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' },
  /** 14:05 */
  time: { hour: '2-digit', minute: '2-digit' },
  /** 14:05:09 */
  timeSeconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  /** 21.11.2026, 14:05 */
  dateTime: { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  /** 21.11.2026, 14:05:09 */
  dateTimeSeconds: {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
  /** 21.11.2026, 14:05:09 MEZ */
  dateTimeZone: {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  },
  /** 21.11., 14:05:09 */
  dateTimeShort: { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateStyle = keyof typeof styles;

// Building a formatter is slow and a table asks for hundreds: one per style, language and zone.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(style: DateStyle, language: Language, zone: string): Intl.DateTimeFormat {
  const key = `${style} ${language} ${zone}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(localeOf(language), {
      ...styles[style],
      timeZone: zone,
      hourCycle: 'h23',
    });
    formatters.set(key, formatter);
  }
  return formatter;
}

/** An instant in a time zone. */
export function formatInstant(
  instant: string | Date,
  style: DateStyle,
  language: Language,
  zone: string,
): string {
  return formatterFor(style, language, zone).format(new Date(instant));
}

/** A calendar day; it has no time zone, so it is read and shown in UTC. */
export function formatDay(
  day: string,
  style: 'day' | 'dayShort' | 'dayTick' | 'month' | 'monthLong',
  language: Language,
): string {
  return formatterFor(style, language, 'UTC').format(new Date(`${day}T00:00:00Z`));
}

/** Two days as a range: `01.–07.03.2026`. */
export function formatDays(first: string, last: string, language: Language): string {
  const [from, to] = [first, last].map((day) => new Date(`${day}T00:00:00Z`));
  return from && to ? formatterFor('day', language, 'UTC').formatRange(from, to) : '';
}

const isoDay = new Map<string, Intl.DateTimeFormat>();

/** The calendar day `YYYY-MM-DD` on which an instant falls in a time zone. */
export function dayOf(instant: string | Date, zone: string): string {
  let formatter = isoDay.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
    isoDay.set(zone, formatter);
  }
  return formatter.format(new Date(instant));
}

/** How long ago an instant was: `vor 12 Sekunden`, `vor 3 Tagen`. */
export function formatAgo(instant: string, language: Language, now: Date): string {
  const relative = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' });
  const seconds = Math.max(0, Math.round((now.getTime() - new Date(instant).getTime()) / 1000));
  if (seconds < 60) return relative.format(-seconds, 'second');
  if (seconds < 3600) return relative.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3600), 'hour');
  return relative.format(-Math.floor(seconds / 86_400), 'day');
}
