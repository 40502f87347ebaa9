/** Files of other services as rows: CSV, a list in JSON, or an object a line. */
import { parse } from 'csv-parse/sync';
import { parseJson } from '../json.ts';

export type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Under which names services put the list, where the file is one object. */
const LISTS = ['data', 'results', 'observations', 'logs', 'requests'];

function rowsIn(value: unknown): Row[] {
  if (Array.isArray(value)) return value.filter(isRow);
  if (!isRow(value)) return [];
  const list = LISTS.map((name) => value[name]).find(Array.isArray);
  return list ? list.filter(isRow) : [value];
}

/** One object a line; null where the text is one value. */
function linesOf(text: string): Row[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  try {
    return lines.map((line) => parseJson(line)).flatMap(rowsIn);
  } catch {
    return null;
  }
}

/** Throws where it is neither. */
export function rowsOf(file: string): Row[] {
  const text = file.replace(/^\uFEFF/, '');
  if (!/^\s*[[{]/.test(text))
    return parse(text, { columns: true, skip_empty_lines: true, relax_column_count: true });
  return linesOf(text) ?? rowsIn(parseJson(text));
}
