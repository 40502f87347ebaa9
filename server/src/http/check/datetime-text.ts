/** Reads the text of a date and time the way Rust's `speedate` does, which gives Pydantic v2 its reasons. */

/** A reading of the calendar and the clock; the offset is in minutes, null when the text names none. */
export interface DateTimeParts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  micros: number;
  offset: number | null;
}

/** Carries the reason from where the text goes wrong to where it is answered. */
class Unreadable extends Error {}

const fail = (reason: string): never => {
  throw new Unreadable(reason);
};

class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Takes what the sticky pattern matches here. */
  take(pattern: RegExp, reason: string): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? fail(reason);
    this.at += found.length;
    return found;
  }

  has(characters: string): boolean {
    return this.at < this.text.length && characters.includes(this.text.charAt(this.at));
  }

  needs(length: number): void {
    if (this.text.length - this.at >= length) return;
    // Counted in bytes, as in Rust.
    if (new TextEncoder().encode(this.text.slice(this.at)).length < length) fail('input is too short');
  }

  end(): void {
    if (this.at < this.text.length) fail('unexpected extra characters at the end of the input');
  }
}

const TWO = /\d\d/y;
const DASH = 'invalid date separator, expected `-`';

const leap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** Days of the month, 1 to 12, of the proleptic Gregorian calendar. */
export function daysIn(year: number, month: number): number {
  if (month === 2) return leap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function scanDay(scan: Scanner) {
  scan.needs('YYYY-MM-DD'.length);
  const year = Number(scan.take(/\d{4}/y, 'invalid character in year'));
  scan.take(/-/y, DASH);
  const month = Number(scan.take(TWO, 'invalid character in month'));
  scan.take(/-/y, DASH);
  const day = Number(scan.take(TWO, 'invalid character in day'));
  if (month < 1 || month > 12) fail('month value is outside expected range of 1-12');
  if (day < 1 || day > daysIn(year, month)) fail('day value is outside expected range');
  return { year, month, day };
}

function scanTime(scan: Scanner) {
  scan.needs('HH:MM'.length);
  const hour = Number(scan.take(TWO, 'invalid character in hour'));
  scan.take(/:/y, 'invalid time separator, expected `:`');
  const minute = Number(scan.take(TWO, 'invalid character in minute'));
  if (hour > 23) fail('hour value is outside expected range of 0-23');
  if (minute > 59) fail('minute value is outside expected range of 0-59');
  if (!scan.has(':')) return { hour, minute, second: 0, micros: 0 };
  scan.at++;
  const second = Number(scan.take(TWO, 'invalid character in second'));
  if (second > 59) fail('second value is outside expected range of 0-59');
  if (!scan.has('.,')) return { hour, minute, second, micros: 0 };
  scan.at++;
  const digits = scan.take(/\d+/y, 'second fraction digits missing after `.`');
  return { hour, minute, second, micros: Number(digits.slice(0, 6).padEnd(6, '0')) };
}

function scanOffset(scan: Scanner): number | null {
  if (scan.at === scan.text.length) return null;
  const sign = scan.take(/[Zz+\-−]/y, 'invalid timezone sign');
  if (sign === 'Z' || sign === 'z') return 0;
  const hours = Number(scan.take(TWO, 'invalid timezone hour'));
  if (scan.has(':')) scan.at++;
  const minutes = Number(scan.take(TWO, 'invalid timezone minute'));
  if (minutes > 59) fail('timezone minute value is outside expected range of 0-59');
  if (hours > 23) fail('timezone offset must be less than 24 hours');
  return (sign === '+' ? 1 : -1) * (hours * 60 + minutes);
}

function attempt<T>(text: string, step: (scan: Scanner) => T): T | string {
  const scan = new Scanner(text);
  try {
    const result = step(scan);
    scan.end();
    return result;
  } catch (error) {
    if (error instanceof Unreadable) return error.message;
    throw error;
  }
}

/** A day `YYYY-MM-DD` and nothing more, or the reason why the text is none. */
export const scanDate = (text: string): DateTimeParts | string =>
  attempt(text, (scan) => ({ ...scanDay(scan), hour: 0, minute: 0, second: 0, micros: 0, offset: null }));

/** A day with a time and perhaps an offset, or the reason why the text is none. */
export const scanDateTime = (text: string): DateTimeParts | string =>
  attempt(text, (scan) => {
    const day = scanDay(scan);
    // The bare day is "too short" only for what follows the separator.
    if (!scan.has('Tt_ ')) fail('invalid datetime separator, expected `T`, `t`, `_` or space');
    scan.at++;
    return { ...day, ...scanTime(scan), offset: scanOffset(scan) };
  });
