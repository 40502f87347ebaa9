/** End customers out of a CSV as people and spreadsheets write it: names, markups and what bookkeeping needs, by reference. */
import { emailProblem, normaliseEmail } from '#kernel/email.ts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import { aufschlagFrom, textOf } from '#kernel/money.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { type CsvLine, readCsv } from '#platform/csv-file.ts';
import { accountProblem, costCentreProblem, customerNameProblem, referenceProblem } from '../master-data.ts';
import { faultyCell, missingColumn, otherWidth, twiceNamed, twoOfAColumn, unknownColumn } from './faults.ts';

const FIELDS = ['name', 'aufschlag_prozent', 'kostenstelle', 'debitorenkonto', 'email'] as const;
type Field = (typeof FIELDS)[number];
type Head = 'referenz' | Field;

/** A line of the file: a column that the file does not have is not there, an empty cell is null. */
export type EndkundeZeile = { referenz: string } & { [field in Field]?: string | null };

/** What a head may be called, without case, umlauts, blanks and signs. */
const HEADS: Record<string, Head> = {
  referenz: 'referenz',
  ref: 'referenz',
  endkunderef: 'referenz',
  name: 'name',
  endkunde: 'name',
  kunde: 'name',
  aufschlag: 'aufschlag_prozent',
  aufschlagprozent: 'aufschlag_prozent',
  aufschlaginprozent: 'aufschlag_prozent',
  kostenstelle: 'kostenstelle',
  kst: 'kostenstelle',
  kost1: 'kostenstelle',
  debitorenkonto: 'debitorenkonto',
  debitor: 'debitorenkonto',
  debitorennummer: 'debitorenkonto',
  email: 'email',
  mail: 'email',
  emailadresse: 'email',
  mailadresse: 'email',
};

export const MOST_LINES = 10_000;
const headOf = (text: string): Head | undefined => {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '');
  return Object.hasOwn(HEADS, plain) ? HEADS[plain] : undefined;
};

/** UTF-8 where it is, else Windows-1252, which any bytes are. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** What stands in each column. Throws 422 for heads that are unknown, twice there or missing. */
function columnsOf(head: CsvLine): Head[] {
  const names = head.cells.map(headOf);
  const faults = names.flatMap((name, place) => {
    const text = head.cells[place] ?? '';
    if (name === undefined) return [unknownColumn(text, ['referenz', ...FIELDS])];
    return names.indexOf(name) < place ? [twoOfAColumn(text)] : [];
  });
  if (!names.includes('referenz')) faults.push(missingColumn('referenz'));
  if (faults.length > 0) throw new InvalidInput(faults);
  return names as Head[];
}

/** What the writers of CSV put before a text that a spreadsheet would take for a formula. */
const plain = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '');

type Read = { value: string } | { reason: Sentence };

function readText(cell: string, problem: (text: string) => Sentence | null): Read {
  const value = plain(cell);
  const found = problem(value);
  return found ? { reason: found } : { value };
}

const NO_PERCENT: Sentence = {
  de: 'ein Aufschlag ist eine Zahl von -100 bis 10000, etwa 12,5; Punkte zwischen Tausendern sind mehrdeutig',
  en: 'a markup is a number from -100 to 10000, such as 12.5; points between thousands are ambiguous',
};

/** `12,5`, `12.5`, `-10 %`. What may be thousands as well as decimals (`1.200`) is refused. */
function readPercent(cell: string): Read {
  const match = /^([+-]?\d{1,5})(?:([.,])(\d{1,10}))?\s*%?$/.exec(plain(cell));
  if (!match || (match[2] === '.' && match[3]?.length === 3)) return { reason: NO_PERCENT };
  try {
    const whole = (match[1] as string).replace('+', '');
    return { value: textOf(aufschlagFrom(match[3] ? `${whole}.${match[3]}` : whole), 40) };
  } catch {
    return { reason: NO_PERCENT };
  }
}

const READERS: Record<Head, (cell: string) => Read> = {
  referenz: (cell) => readText(cell, referenceProblem),
  name: (cell) => readText(cell, customerNameProblem),
  kostenstelle: (cell) => readText(cell, costCentreProblem),
  aufschlag_prozent: readPercent,
  debitorenkonto: (cell) => readText(cell, accountProblem),
  email: (cell) =>
    emailProblem(cell) === null && cell.length <= 254
      ? { value: normaliseEmail(cell) }
      : { reason: { de: 'das ist keine E-Mail-Adresse', en: 'this is no e-mail address' } },
};

function toZeile(
  columns: Head[],
  { number, cells }: CsvLine,
): { zeile: EndkundeZeile; faults: ValueFault[] } {
  if (cells.length !== columns.length)
    return { zeile: { referenz: '' }, faults: [otherWidth(number, cells.length, columns.length)] };
  const zeile: EndkundeZeile = { referenz: '' };
  const faults: ValueFault[] = [];
  for (const [place, column] of columns.entries()) {
    const cell = cells[place] as string;
    if (cell === '') {
      if (column === 'referenz')
        faults.push(
          faultyCell(number, column, cell, { de: 'darf nicht leer sein', en: 'must not be empty' }),
        );
      else zeile[column] = null;
      continue;
    }
    const read = READERS[column](cell);
    if ('reason' in read) faults.push(faultyCell(number, column, cell, read.reason));
    else zeile[column] = read.value;
  }
  return { zeile, faults };
}

function repeats(lines: CsvLine[], zeilen: EndkundeZeile[]): ValueFault[] {
  const first = new Map<string, number>();
  return zeilen.flatMap(({ referenz }, at) => {
    const { number } = lines[at] as CsvLine;
    const before = first.get(referenz);
    if (before !== undefined && referenz !== '') return [twiceNamed(number, referenz, before)];
    first.set(referenz, number);
    return [];
  });
}

/**
 * Reads end customers: semicolons or commas, with a byte-order mark or without, UTF-8 or Windows-1252, heads in any case. Throws 422 that names
 * line and column of whatever cannot be read (`["csv", 3, "aufschlag_prozent"]`); then nothing is read.
 */
export function readEndkundenCsv(bytes: Uint8Array): EndkundeZeile[] {
  const [head, ...lines] = readCsv(decode(bytes), { delimiters: [';', ','], lines: MOST_LINES });
  const columns = columnsOf(head);
  const read = lines.map((line) => toZeile(columns, line));
  const zeilen = read.map(({ zeile }) => zeile);
  const faults = [...read.flatMap((each) => each.faults), ...repeats(lines, zeilen)];
  if (faults.length > 0) throw new InvalidInput(faults);
  return zeilen;
}
