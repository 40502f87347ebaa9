/** The month for bookkeepers: a table with one line for each line of the bills, and their sums. */
import { type Cents, centsFrom, eurFrom, eurText } from '#kernel/money.ts';
import { type CsvColumn, csvOf } from '#platform/csv.ts';
import { grossOf, twoDecimals } from './gross.ts';
import type { Line } from './line.ts';
import { voucherOf } from './voucher.ts';

/** A line as it stands in the table; the sums are one, too. */
type Row = Pick<
  Line,
  'unbepreist' | 'aufrufe' | 'kosten_eur' | 'verbranntes_geld_eur' | 'abrechenbar_eur' | 'betrag_eur'
> & {
  endkunde: string;
  line: Line | null;
  belegnummer: string | null;
  prozent: string | null;
  steuer_eur: string | null;
  brutto_eur: string | null;
};

const text = (head: string, cell: CsvColumn<Row>['cell']): CsvColumn<Row> => ({ head, kind: 'text', cell });
const value = (head: string, cell: CsvColumn<Row>['cell']): CsvColumn<Row> => ({ head, kind: 'value', cell });
const amount = (head: string, cell: CsvColumn<Row>['cell']): CsvColumn<Row> => ({
  head,
  kind: 'amount',
  cell,
});

const COLUMNS: readonly CsvColumn<Row>[] = [
  text('Endkunde', ({ endkunde }) => endkunde),
  text('Referenz', ({ line }) => line?.zahler ?? null),
  text('Kostenstelle', ({ line }) => line?.kostenstelle ?? null),
  text('Debitorenkonto', ({ line }) => line?.debitorenkonto ?? null),
  text('Monat', ({ line }) => line?.monat ?? null),
  text('Art', ({ line }) => line && (line.art === 'korrektur' ? 'Korrektur' : 'Verbrauch')),
  value('Aufrufe', ({ aufrufe }) => aufrufe),
  value('davon ohne Preis', ({ unbepreist }) => unbepreist),
  amount('Kosten EUR', ({ kosten_eur }) => kosten_eur),
  amount('davon verbrannt EUR', ({ verbranntes_geld_eur }) => verbranntes_geld_eur),
  amount('abrechenbar EUR', ({ abrechenbar_eur }) => abrechenbar_eur),
  amount('Aufschlag %', ({ line }) => line?.aufschlag_prozent ?? null),
  amount('Betrag EUR', ({ betrag_eur }) => betrag_eur),
];

const TAX_COLUMNS: readonly CsvColumn<Row>[] = [
  amount('Umsatzsteuer %', ({ prozent }) => prozent),
  amount('Umsatzsteuer EUR', ({ steuer_eur }) => steuer_eur),
  amount('Brutto EUR', ({ brutto_eur }) => brutto_eur),
];

/** What a spreadsheet must not take for a number. */
const VOUCHER = text('Belegnummer', ({ belegnummer }) => belegnummer);

function toRow(month: string, line: Line, percent: string | null): Row {
  const gross = line.betrag_eur === null ? null : grossOf(line.betrag_eur, percent);
  return {
    ...line,
    endkunde: line.name ?? line.referenz,
    line,
    belegnummer: voucherOf(month, line),
    prozent: percent,
    steuer_eur: gross === null ? null : twoDecimals((gross - centsFrom(line.betrag_eur as string)) as Cents),
    brutto_eur: gross === null ? null : twoDecimals(gross),
  };
}

/** Of what is known; null where nothing is. */
function sumOf<Amount extends bigint>(
  amounts: readonly (string | null)[],
  from: (text: string) => Amount,
  toText: (sum: Amount) => string,
): string | null {
  const known = amounts.filter((each) => each !== null);
  return known.length === 0
    ? null
    : toText(known.reduce<bigint>((sum, each) => sum + from(each), 0n) as Amount);
}

function sumRow(rows: readonly Row[]): Row {
  const exact = (of: (row: Row) => string | null) => sumOf(rows.map(of), eurFrom, eurText);
  const rounded = (of: (row: Row) => string | null) => sumOf(rows.map(of), centsFrom, twoDecimals);
  const count = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  return {
    endkunde: 'Summe',
    line: null,
    belegnummer: null,
    prozent: null,
    aufrufe: count(({ aufrufe }) => aufrufe),
    unbepreist: count(({ unbepreist }) => unbepreist),
    kosten_eur: exact(({ kosten_eur }) => kosten_eur),
    verbranntes_geld_eur: exact(({ verbranntes_geld_eur }) => verbranntes_geld_eur) ?? '0',
    abrechenbar_eur: exact(({ abrechenbar_eur }) => abrechenbar_eur),
    betrag_eur: rounded(({ betrag_eur }) => betrag_eur),
    steuer_eur: rounded(({ steuer_eur }) => steuer_eur),
    brutto_eur: rounded(({ brutto_eur }) => brutto_eur),
  };
}

/**
 * CSV under German heads, in the order of the lines, a line `Summe` at the end. Amounts in EUR with a decimal comma, unknown ones empty and
 * in no sum. `percentOf`: the rate of VAT of a line (plain decimal), null for none: where no line has one the columns of tax and gross are
 * not there. The number of a line is that in the booking batch of the month (YYYY-MM).
 */
export function writeLinesCsv(
  month: string,
  lines: readonly Line[],
  percentOf: (line: Line) => string | null,
): AsyncGenerator<string, void> {
  const rows = lines.map((line) => toRow(month, line, percentOf(line)));
  const isTaxed = rows.some(({ prozent }) => prozent !== null);
  const columns = [...COLUMNS, ...(isTaxed ? TAX_COLUMNS : []), VOUCHER];
  return csvOf(columns, [rows, [sumRow(rows)]]);
}
