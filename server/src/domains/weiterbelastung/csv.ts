/** The month for bookkeepers: a table with one line for each line of the bills, and their sums. */
import { type Cents, centsFrom, type Eur, eurFrom, eurText } from '#kernel/money.ts';
import { type CsvColumn, csvOf } from '#platform/csv.ts';
import { grossOf, twoDecimals } from './gross.ts';
import type { Line } from './line.ts';
import { voucherOf } from './voucher.ts';

/** A line as it stands in the table; the sums are one, too. */
type TableLine = Pick<
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

const text = (head: string, cell: CsvColumn<TableLine>['cell']): CsvColumn<TableLine> => ({
  head,
  kind: 'text',
  cell,
});
const value = (head: string, cell: CsvColumn<TableLine>['cell']): CsvColumn<TableLine> => ({
  head,
  kind: 'value',
  cell,
});
const amount = (head: string, cell: CsvColumn<TableLine>['cell']): CsvColumn<TableLine> => ({
  head,
  kind: 'amount',
  cell,
});

const COLUMNS: readonly CsvColumn<TableLine>[] = [
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

const TAX_COLUMNS: readonly CsvColumn<TableLine>[] = [
  amount('Umsatzsteuer %', ({ prozent }) => prozent),
  amount('Umsatzsteuer EUR', ({ steuer_eur }) => steuer_eur),
  amount('Brutto EUR', ({ brutto_eur }) => brutto_eur),
];

/** What a spreadsheet must not take for a number. */
const VOUCHER = text('Belegnummer', ({ belegnummer }) => belegnummer);

function tableLine(month: string, line: Line, percent: string | null): TableLine {
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

type Amount = 'kosten_eur' | 'abrechenbar_eur' | 'verbranntes_geld_eur';
type Charge = 'betrag_eur' | 'steuer_eur' | 'brutto_eur';

/** Adds up what is known of a column, row by row; null where nothing is. */
class ColumnSum<Unit extends bigint> {
  #sum: bigint | null = null;
  readonly #from: (text: string) => Unit;
  readonly #toText: (sum: Unit) => string;

  constructor(from: (text: string) => Unit, toText: (sum: Unit) => string) {
    this.#from = from;
    this.#toText = toText;
  }

  add(text: string | null): void {
    if (text !== null) this.#sum = (this.#sum ?? 0n) + this.#from(text);
  }

  get text(): string | null {
    return this.#sum === null ? null : this.#toText(this.#sum as Unit);
  }
}

const exactSum = () => new ColumnSum(eurFrom, eurText);
const roundedSum = () => new ColumnSum(centsFrom, twoDecimals);

/** The line `Summe`, of rows as they pass. */
class SumOfLines {
  #aufrufe = 0;
  #unbepreist = 0;
  readonly #exact: Record<Amount, ColumnSum<Eur>> = {
    kosten_eur: exactSum(),
    abrechenbar_eur: exactSum(),
    verbranntes_geld_eur: exactSum(),
  };
  readonly #rounded: Record<Charge, ColumnSum<Cents>> = {
    betrag_eur: roundedSum(),
    steuer_eur: roundedSum(),
    brutto_eur: roundedSum(),
  };

  add(row: TableLine): void {
    this.#aufrufe += row.aufrufe;
    this.#unbepreist += row.unbepreist;
    for (const name of Object.keys(this.#exact) as Amount[]) this.#exact[name].add(row[name]);
    for (const name of Object.keys(this.#rounded) as Charge[]) this.#rounded[name].add(row[name]);
  }

  get row(): TableLine {
    return {
      endkunde: 'Summe',
      line: null,
      belegnummer: null,
      prozent: null,
      aufrufe: this.#aufrufe,
      unbepreist: this.#unbepreist,
      kosten_eur: this.#exact.kosten_eur.text,
      verbranntes_geld_eur: this.#exact.verbranntes_geld_eur.text ?? '0',
      abrechenbar_eur: this.#exact.abrechenbar_eur.text,
      betrag_eur: this.#rounded.betrag_eur.text,
      steuer_eur: this.#rounded.steuer_eur.text,
      brutto_eur: this.#rounded.brutto_eur.text,
    };
  }
}

const LINES_AT_ONCE = 1_000;

/** The rows of a table, page by page, with their sum at the end. */
function* pagesOf(
  month: string,
  lines: readonly Line[],
  percentOf: (line: Line) => string | null,
): Generator<TableLine[], void> {
  const sum = new SumOfLines();
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
    const rows = lines.slice(at, at + LINES_AT_ONCE).map((line) => tableLine(month, line, percentOf(line)));
    for (const row of rows) sum.add(row);
    yield rows;
  }
  yield [sum.row];
}

/**
 * CSV under German heads, in the order of the lines, a line `Summe` at the end. Amounts in EUR with a decimal comma, unknown ones empty and
 * in no sum. `percentOf`: the rate of VAT of a line (plain decimal), null for none: where no line has one the columns of tax and gross are
 * not there. The number of a line is that in the booking batch of the month (YYYY-MM). A piece for each thousand lines.
 */
export function writeLinesCsv(
  month: string,
  lines: readonly Line[],
  percentOf: (line: Line) => string | null,
): AsyncGenerator<string, void> {
  const isTaxed = lines.some((line) => percentOf(line) !== null);
  const columns = [...COLUMNS, ...(isTaxed ? TAX_COLUMNS : []), VOUCHER];
  return csvOf(columns, pagesOf(month, lines, percentOf));
}
