/**
 * Periods as the URL and the service name them: a word or two days `YYYY-MM-DD..YYYY-MM-DD`, both included.
 * All days are calendar days of the Mandant's time zone; weeks begin on Monday.
 */
import { ZEITRAUM_WORTE } from '#contracts/zeitraum.ts';

export const words = ZEITRAUM_WORTE;

export type Word = (typeof words)[number];

/** Two days, both included. */
export interface Days {
  first: string;
  last: string;
}

/** The service answers for no longer period. */
export const maxDays = 366;

/** The single key that chooses a period. */
export const shortcutOf: Partial<Record<Word, string>> = {
  heute: 'H',
  gestern: 'G',
  '7tage': 'W',
  monat: 'M',
  '30tage': 'D',
};

const twoDays = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

export const isWord = (text: string): text is Word => words.some((word) => word === text);

const toDate = (day: string) => new Date(`${day}T00:00:00Z`);
const toDay = (date: Date) => date.toISOString().slice(0, 10);

function isDay(text: string): boolean {
  const date = toDate(text);
  return !Number.isNaN(date.getTime()) && toDay(date) === text;
}

/** The day a number of days later (or earlier). */
export function addDays(day: string, count: number): string {
  const date = toDate(day);
  date.setUTCDate(date.getUTCDate() + count);
  return toDay(date);
}

/** First and last day of the month that lies a number of months from the given day's. */
function monthOf(day: string, months: number): Days {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return {
    first: toDay(new Date(Date.UTC(year, month - 1 + months, 1))),
    last: toDay(new Date(Date.UTC(year, month + months, 0))),
  };
}

const yearOf = (day: string): Days => ({
  first: `${day.slice(0, 4)}-01-01`,
  last: `${day.slice(0, 4)}-12-31`,
});

function weekOf(day: string): Days {
  const first = addDays(day, -((toDate(day).getUTCDay() + 6) % 7));
  return { first, last: addDays(first, 6) };
}

const endingAt = (last: string, length: number): Days => ({ first: addDays(last, 1 - length), last });

function daysOfWord(word: Word, today: string): Days {
  if (word === 'heute') return endingAt(today, 1);
  if (word === 'gestern') return endingAt(addDays(today, -1), 1);
  if (word === '7tage') return endingAt(today, 7);
  if (word === '30tage') return endingAt(today, 30);
  if (word === '90tage') return endingAt(today, 90);
  if (word === 'woche') return weekOf(today);
  if (word === 'monat') return monthOf(today, 0);
  if (word === 'vormonat') return monthOf(today, -1);
  return yearOf(today);
}

/** How many days lie between the two, both included. */
export const lengthOf = ({ first, last }: Days) =>
  Math.round((toDate(last).getTime() - toDate(first).getTime()) / 86_400_000) + 1;

/** A text of the URL as a period; undefined when it is none. */
export function parseZeitraum(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (isWord(text)) return text;
  const [, first = '', last = ''] = twoDays.exec(text) ?? [];
  if (!isDay(first) || !isDay(last) || first > last) return undefined;
  return lengthOf({ first, last }) <= maxDays ? text : undefined;
}

/** The days a period spans; `today` settles what the words mean. */
export function daysOf(zeitraum: string, today: string): Days {
  if (isWord(zeitraum)) return daysOfWord(zeitraum, today);
  const [, first = today, last = today] = twoDays.exec(zeitraum) ?? [];
  return { first, last };
}

/** The period of these days: the word for it where there is one. */
export function toZeitraum(days: Days, today: string): string {
  const same = (word: Word) => {
    const other = daysOfWord(word, today);
    return other.first === days.first && other.last === days.last;
  };
  return words.find(same) ?? `${days.first}..${days.last}`;
}

const sameDays = (a: Days, b: Days) => a.first === b.first && a.last === b.last;

function shiftDays(days: Days, step: 1 | -1): Days {
  if (sameDays(days, monthOf(days.first, 0))) return monthOf(days.first, step);
  if (sameDays(days, yearOf(days.first))) return yearOf(addDays(step < 0 ? days.first : days.last, step));
  const length = lengthOf(days);
  return { first: addDays(days.first, step * length), last: addDays(days.last, step * length) };
}

/**
 * The period of equal length just before (-1) or after (1); whole months and years move by months and years.
 * Null when it would begin after today.
 */
export function shiftZeitraum(zeitraum: string, step: 1 | -1, today: string): string | null {
  const shifted = shiftDays(daysOf(zeitraum, today), step);
  return shifted.first > today ? null : toZeitraum(shifted, today);
}

/** The latest period as long as the given one that ends on a day with data. */
export function lastWithData(zeitraum: string, lastDay: string, today: string): string {
  return toZeitraum(endingAt(lastDay, lengthOf(daysOf(zeitraum, today))), today);
}
