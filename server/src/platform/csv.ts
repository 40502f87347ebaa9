/** CSV as German spreadsheets read it: byte-order mark, semicolons, CRLF, decimal comma. */
import { stringify } from 'csv-stringify/sync';

/** What a column holds: a person's text, an exact amount as decimal text, or anything else that is no text. */
export type CsvKind = 'text' | 'amount' | 'value';

export interface CsvColumn<Row> {
  head: string;
  kind: CsvKind;
  /** Null is an empty cell. */
  cell(row: Row): string | number | boolean | null;
}

const BOM = '\uFEFF';

/**
 * What a spreadsheet would take for a formula gets an apostrophe in front, which makes it a text there. For texts only: a
 * number with a minus in front is to stay one.
 */
const harmless = (text: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);

function cellText(value: string | number | boolean | null, kind: CsvKind): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'ja' : 'nein';
  const text = String(value);
  if (kind === 'text') return harmless(text);
  return kind === 'amount' ? text.replace('.', ',') : text;
}

// Once the delimiters are set, a lone CR or LF is not quoted unless asked for.
const lines = (records: string[][]): string =>
  stringify(records, { delimiter: ';', record_delimiter: '\r\n', quote_record_delimiter: true });

/** Head and rows as CSV text, page by page. */
export async function* csvOf<Row>(
  columns: readonly CsvColumn<Row>[],
  pages: Iterable<Row[]> | AsyncIterable<Row[]>,
): AsyncGenerator<string, void> {
  yield BOM + lines([columns.map(({ head }) => head)]);
  for await (const page of pages)
    yield lines(page.map((row) => columns.map(({ cell, kind }) => cellText(cell(row), kind))));
}
