/** What stands in a cell of an export: amounts, counts, instants, currencies; each is read exactly or not at all. */
import { Decimal } from 'decimal.js';
import { textProblem } from '#kernel/name.ts';
import type { Sentence } from '#kernel/sentence.ts';

export type Read<Value> = { value: Value } | { reason: Sentence };

/** Far beyond what is charged, near enough that an exponent cannot fill the memory. */
const MOST_DIGITS = { whole: 15, fraction: 60 };
const NUMBER = /^[+-]?(?:\d{1,80}(?:\.\d{0,80})?|\.\d{1,80})(?:e[+-]?\d{1,2})?$/i;

const NO_AMOUNT: Sentence = {
  de: 'ein Betrag ist eine Zahl wie 0.0123, -4 oder 1e-05, mit Punkt vor den Dezimalen, ohne Zeichen für Tausender oder Währung',
  en: 'an amount is a number such as 0.0123, -4 or 1e-05, with a point before the decimals, without signs for thousands or currency',
};

/** The number of a text, exactly: the constructor of Decimal does not round, its operations would. */
function decimalOf(text: string): string | null {
  if (!NUMBER.test(text)) return null;
  const plain = new Decimal(text).toFixed();
  const [whole = '', fraction = ''] = plain.replace('-', '').split('.');
  return whole.length <= MOST_DIGITS.whole && fraction.length <= MOST_DIGITS.fraction ? plain : null;
}

/** Decimals that a read amount has at most. */
export const AMOUNT_SCALE = MOST_DIGITS.fraction;

/** A plain decimal, credits negative: `1e-05` is `0.00001`. */
export function readAmount(cell: string): Read<string> {
  const value = decimalOf(cell);
  return value === null ? { reason: NO_AMOUNT } : { value };
}

/** A whole number from 0; the exports write `10.0`, too. */
export function readCount(cell: string): Read<bigint> {
  const value = decimalOf(cell);
  return value !== null && /^\d+$/.test(value)
    ? { value: BigInt(value) }
    : { reason: { de: 'eine Anzahl ist eine ganze Zahl ab 0', en: 'a count is a whole number from 0' } };
}

export function readCurrency(cell: string): Read<'USD' | 'EUR'> {
  const value = cell.toUpperCase();
  return value === 'USD' || value === 'EUR'
    ? { value }
    : { reason: { de: 'gelesen werden Beträge in USD und EUR', en: 'amounts in USD and EUR are read' } };
}

const MOST_TEXT = 300;

/** What the writers of CSV put before a text that a spreadsheet would take for a formula. */
const plain = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '');

/** A name of a model or of an item; what a spreadsheet would work out is none. */
export function readText(cell: string): Read<string> {
  if (/^[=+\-@＝＋－＠]/.test(cell))
    return { reason: { de: 'darf keine Formel sein', en: 'must not be a formula' } };
  const value = plain(cell);
  const problem = textProblem(value);
  if (problem) return { reason: problem };
  return value.length <= MOST_TEXT
    ? { value }
    : { reason: { de: `höchstens ${MOST_TEXT} Zeichen`, en: `at most ${MOST_TEXT} characters` } };
}

const NO_TIME: Sentence = {
  de: 'ein Zeitpunkt ist ein Datum wie 2026-10-01, ein Zeitpunkt nach ISO 8601 oder eine Zahl von Sekunden seit 1970, von 2015 bis 2099',
  en: 'an instant is a date such as 2026-10-01, an instant of ISO 8601 or a number of seconds since 1970, from 2015 to 2099',
};
const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;
const FIRST = Date.UTC(2015, 0, 1);
const LAST = Date.UTC(2100, 0, 1);

function isoInstant(match: RegExpExecArray): number {
  const [, date, time = '00:00', zone = 'Z'] = match;
  const offset = /^[zu]/i.test(zone) ? 'Z' : zone.replace(/^(...):?(..)$/, '$1:$2');
  // A day that the month does not have would be moved into the next one
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return Number.NaN;
  return Date.parse(`${date}T${time}${offset}`);
}

/** Milliseconds since 1970 of a date, an instant or seconds; what names no zone is UTC. */
export function readInstant(cell: string): Read<number> {
  const seconds = /^(\d{9,10})(?:\.0+)?$/.exec(cell);
  const iso = ISO.exec(cell);
  const value = seconds ? Number(seconds[1]) * 1_000 : iso ? isoInstant(iso) : Number.NaN;
  return value >= FIRST && value < LAST ? { value } : { reason: NO_TIME };
}
