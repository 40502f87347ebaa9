/** Instants to the microsecond, as PostgreSQL keeps them, without an object or a BigInt for each. */

/** Whole seconds since 1970 in UTC, negative before, and the microseconds (0 to 999,999) that follow. */
export interface Microseconds {
  seconds: number;
  micros: number;
}

const ZERO = 48;
const DAY = 86_400;

const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;

/** Days since 1970-01-01 of `YYYY-MM-DD…`, proleptic Gregorian. Formula: Hinnant, "chrono-compatible date algorithms". */
function dayNumber(text: string): number {
  const month = twoDigits(text, 5);
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + twoDigits(text, 8) - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Seconds of ISO 8601 in UTC with `Z`, which must have been checked. Throws RangeError where no number comes out. */
export function secondsOf(iso: string): number {
  const time = twoDigits(iso, 11) * 3_600 + twoDigits(iso, 14) * 60 + twoDigits(iso, 17);
  const seconds = dayNumber(iso) * DAY + time;
  if (!Number.isInteger(seconds)) throw new RangeError(`not an instant: ${iso}`);
  return seconds;
}

/** Microseconds behind the point of the same text; fewer decimals or none are filled up, more are cut. */
export function microsOf(iso: string): number {
  let micros = 0;
  for (let at = 20; at < 26; at += 1) {
    const digit = iso.charCodeAt(at) - ZERO;
    micros = micros * 10 + (digit >= 0 && digit <= 9 ? digit : 0);
  }
  return micros;
}

/** The same text as an instant. */
export const instantOf = (iso: string): Microseconds => ({ seconds: secondsOf(iso), micros: microsOf(iso) });

/** ISO 8601 in UTC with six decimals. */
export const isoOf = ({ seconds, micros }: Microseconds): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;

/** Negative when `a` is the earlier one, 0 when they are the same. */
export const compareInstants = (a: Microseconds, b: Microseconds): number =>
  a.seconds - b.seconds || a.micros - b.micros;
