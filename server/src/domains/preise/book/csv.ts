/** Own prices as CSV: written as German spreadsheets read it, read as people and spreadsheets write it. */
import { Decimal } from 'decimal.js';
import { BOOK_RATE_NAMES, PREIS_BOUNDS, PREISBUCH_MAX } from '#contracts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import { type CsvColumn, csvOf } from '#platform/csv.ts';
import { readCsv } from '#platform/csv-file.ts';
import { faultyLine, missingColumn, twoOfAColumn, unknownColumn } from '../errors.ts';
import { type BookPrice, type PriceInput, toContent } from './content.ts';

const TEXTS = ['anbieter', 'modell', 'preisstufe', 'gilt_ab', 'gilt_bis'] as const;
const HEADS: readonly string[] = [...TEXTS, ...BOOK_RATE_NAMES, 'bemerkung'];

const COLUMNS: CsvColumn<BookPrice>[] = [
  ...TEXTS.map((name): CsvColumn<BookPrice> => ({ head: name, kind: 'text', cell: (price) => price[name] })),
  ...BOOK_RATE_NAMES.map(
    (name): CsvColumn<BookPrice> => ({ head: name, kind: 'amount', cell: ({ saetze }) => saetze[name] }),
  ),
  { head: 'bemerkung', kind: 'text', cell: ({ bemerkung }) => bemerkung },
];

/** One line for each own price, under the names of the fields. */
export const writePricesCsv = (prices: BookPrice[]) => csvOf(COLUMNS, [prices]);

/** A line of the file with its number in it. */
interface Line {
  number: number;
  cells: Record<string, string>;
}

function linesOf(csv: string): Line[] {
  const [head, ...rest] = readCsv(csv, { delimiters: [';', ',', '\t'], lines: PREISBUCH_MAX });
  const names = head.cells.map((name) => name.toLowerCase());
  const faults = names.flatMap((name, place) => {
    if (!HEADS.includes(name)) return [unknownColumn(name, HEADS)];
    return names.indexOf(name) < place ? [twoOfAColumn(name)] : [];
  });
  if (!names.includes('modell')) faults.push(missingColumn('modell'));
  if (faults.length > 0) throw new InvalidInput(faults);
  return rest.map(({ number, cells }) => ({
    number,
    cells: Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ''])),
  }));
}

/** What `csvOf` puts before a text that a spreadsheet would take for a formula. */
const plain = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '');

const isDay = (text: string) => {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
};

/** `2026-01-31`; Germans write `31.01.2026`. */
const toDay = (text: string) =>
  text.replace(
    /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/,
    (_, day, month, year) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

const AMOUNT = /^\d{1,7}([.,]\d{1,15})?$/;

/** An own price out of a line, with what is wrong with it. */
function toPrice({ number, cells }: Line): { input: PriceInput; faults: ValueFault[] } {
  const faults: ValueFault[] = [];
  const refuse = (name: string) => faults.push(faultyLine(number, name, cells[name] ?? ''));
  const textOf = (name: 'anbieter' | 'modell' | 'preisstufe' | 'bemerkung') => {
    const text = plain(cells[name] ?? '');
    if ([...text].length > PREIS_BOUNDS[name]) refuse(name);
    return text === '' ? null : text;
  };
  const dayOf = (name: string) => {
    const text = toDay(cells[name] ?? '');
    if (text !== '' && !isDay(text)) refuse(name);
    return text === '' ? null : text;
  };
  const saetze: Record<string, string | null> = {};
  for (const name of BOOK_RATE_NAMES) {
    const text = cells[name] ?? '';
    if (text !== '' && !AMOUNT.test(text)) refuse(name);
    else if (text !== '') saetze[name] = new Decimal(text.replace(',', '.')).toFixed();
    if (Number(saetze[name] ?? 0) > Number(PREIS_BOUNDS.usd)) refuse(name);
  }
  const modell = textOf('modell') ?? '';
  if (modell === '') refuse('modell');
  const input = {
    anbieter: textOf('anbieter'),
    modell,
    preisstufe: textOf('preisstufe'),
    gilt_ab: dayOf('gilt_ab'),
    gilt_bis: dayOf('gilt_bis'),
    saetze,
    bemerkung: textOf('bemerkung'),
  };
  return { input, faults };
}

/** Reads own prices. Throws 422 that names lines and columns: `["csv", 3, "eingabe"]`. */
export function readPricesCsv(csv: string): BookPrice[] {
  const lines = linesOf(csv);
  const read = lines.map(toPrice);
  const faults = read.flatMap((each) => each.faults);
  if (faults.length > 0) throw new InvalidInput(faults);
  try {
    return toContent({ fassung: 0, preise: read.map(({ input }) => input) }).preise;
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(
      error.faults.map((fault) => {
        const [, index, ...rest] = fault.path;
        const number = lines[index as number]?.number ?? 1;
        return { ...fault, path: ['csv', number, ...rest.filter((part) => part !== 'saetze')] } as ValueFault;
      }),
    );
  }
}
