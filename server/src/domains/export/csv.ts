/** CSV as German spreadsheets read it: byte-order mark, semicolons, CRLF, decimal comma. */
import { stringify } from 'csv-stringify/sync';
import { csvText } from '#kernel/csv-text.ts';
import { type Kind, kindOf, type Spaltenname } from './spalten.ts';

export type Row = Partial<Record<Spaltenname, string | number | boolean | null>>;

const BOM = '\uFEFF';

function cellOf(value: Row[Spaltenname], kind: Kind): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'ja' : 'nein';
  const text = String(value);
  if (kind === 'text') return csvText(text);
  return kind === 'betrag' ? text.replace('.', ',') : text;
}

// Once the delimiters are set, a lone CR or LF is not quoted unless asked for.
const lines = (records: string[][]): string =>
  stringify(records, { delimiter: ';', record_delimiter: '\r\n', quote_record_delimiter: true });

/** Head and rows as CSV text, page by page. A cell is empty where the value is null. */
export async function* csvOf(
  names: readonly Spaltenname[],
  pages: AsyncIterable<Row[]>,
): AsyncGenerator<string, void> {
  yield BOM + lines([[...names]]);
  for await (const page of pages)
    yield lines(page.map((row) => names.map((name) => cellOf(row[name], kindOf(name)))));
}
