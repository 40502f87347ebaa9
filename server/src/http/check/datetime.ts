/** Instants and calendar days as Pydantic v2 reads them. Readers return the canonical text or the refusal. */
import { type DateTimeParts, daysIn, scanDate, scanDateTime } from './datetime-text.ts';
import { Refusal } from './faults.ts';

const MONTH_DAY = '(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const DAY = new RegExp(`^\\d{4}-${MONTH_DAY}$`);
const INSTANT = new RegExp(`^\\d{4}-${MONTH_DAY}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?Z$`);
const UNIX_TIME = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Larger numbers are milliseconds. */
const LAST_SECONDS = 2e10;
const YEAR_0 = -62_167_219_200_000;
const YEAR_10000 = 253_402_300_800_000;
const AFTER_9999 = 'dates after 9999 are not supported as unix timestamps';
const BEFORE_0 = 'dates before 0000 are not supported as unix timestamps';

/** Whether a text of the right shape names a day that exists. */
function existsInCalendar(text: string): boolean {
  const day = Number(text.slice(8, 10));
  if (day > 28 && day > daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)))) return false;
  return !text.startsWith('0000');
}

/** `YYYY-MM-DD` of the years 1 to 9999. */
export const isDay = (text: string): boolean => DAY.test(text) && existsInCalendar(text);

/** ISO 8601 in UTC with `Z`, to the second or with a fraction of up to six digits. */
export const isInstant = (text: string): boolean => INSTANT.test(text) && existsInCalendar(text);

/** A point in time: whole milliseconds since 1970 and up to 999 microseconds on top. */
interface Point {
  ms: number;
  micros: number;
}

const parsingFault = (error: string) => new Refusal('datetime_parsing', { error });

function toText({ ms, micros }: Point): string | Refusal {
  const time = new Date(ms);
  const year = time.getUTCFullYear();
  if (year < 1 || year > 9999) return parsingFault(`year ${year} is out of range`);
  const iso = time.toISOString();
  return micros === 0 ? iso : `${iso.slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

/** A number as Unix time, in seconds or, when large, in milliseconds; or the reason why it is none. */
function unixTime(value: number): Point | string {
  if (Number.isNaN(value)) return 'NaN values not permitted';
  const scale = Math.abs(value) > LAST_SECONDS ? 1 : 1000;
  if (value * scale >= YEAR_10000) return AFTER_9999;
  if (value * scale < YEAR_0) return BEFORE_0;
  const whole = Math.floor(value);
  const micros = Math.round((value - whole) * 1000 * scale);
  return { ms: whole * scale + Math.floor(micros / 1000), micros: micros % 1000 };
}

function pointOf(parts: DateTimeParts): Point {
  // Not Date.UTC, which takes the years 0 to 99 for those of the twentieth century.
  const time = new Date(0);
  time.setUTCFullYear(parts.year, parts.month - 1, parts.day);
  time.setUTCHours(parts.hour, parts.minute - (parts.offset ?? 0), parts.second);
  return { ms: time.getTime() + Math.floor(parts.micros / 1000), micros: parts.micros % 1000 };
}

/** Text that is neither a date nor a time of the calendar: a number, or nothing. */
function readOther(text: string): string | Refusal {
  const reason = (error: unknown) => new Refusal('datetime_from_date_parsing', { error });
  const unreadable = () => reason(scanDate(text));
  if (!UNIX_TIME.test(text)) return unreadable();
  const value = Number(text);
  const point = unixTime(value);
  if (typeof point !== 'string') return toText(point);
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? reason(point) : unreadable();
}

function readText(text: string): string | Refusal {
  if (isInstant(text)) return text;
  let parts = scanDateTime(text);
  if (typeof parts === 'string') parts = scanDate(text);
  if (typeof parts === 'string') return readOther(text);
  return parts.year === 0 ? parsingFault('year 0 is out of range') : toText(pointOf(parts));
}

/** The instant in UTC with at least milliseconds, to the microsecond; text without an offset is UTC. */
export function readDatetime(value: unknown): unknown {
  if (typeof value === 'string') return readText(value);
  if (typeof value !== 'number') return new Refusal('datetime_type');
  const point = unixTime(value);
  return typeof point === 'string' ? parsingFault(point) : toText(point);
}

function unixDay(value: number): string | Refusal {
  const point = unixTime(value);
  if (typeof point === 'string') return new Refusal('date_from_datetime_parsing', { error: point });
  const text = toText(point);
  if (text instanceof Refusal || !text.endsWith('T00:00:00.000Z'))
    return new Refusal('date_from_datetime_inexact');
  return text.slice(0, 10);
}

/** The calendar day. A datetime counts when its time is midnight, whatever its offset. */
export function readDate(value: unknown): unknown {
  if (typeof value === 'number') return unixDay(value);
  if (typeof value !== 'string') return new Refusal('date_type');
  if (isDay(value)) return value;
  const parts = scanDateTime(value);
  if (typeof parts === 'string') {
    if (UNIX_TIME.test(value)) return unixDay(Number(value));
    if (typeof scanDate(value) !== 'string')
      return new Refusal('date_parsing', { error: 'year 0 is out of range' });
    return new Refusal('date_from_datetime_parsing', { error: parts });
  }
  if (parts.hour || parts.minute || parts.second || parts.micros)
    return new Refusal('date_from_datetime_inexact');
  if (parts.year === 0) return new Refusal('date_parsing', { error: 'year 0 is out of range' });
  return value.slice(0, 10);
}

/** A calendar day as it is, or an instant. */
export const readDayOrInstant = (value: unknown): unknown =>
  typeof value === 'string' && isDay(value) ? value : readDatetime(value);
