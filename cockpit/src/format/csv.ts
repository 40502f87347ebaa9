/** CSV of what a table shows, ready for the spreadsheet of the reader's language. */
import type { Language } from './number.ts';

/** A text (made harmless), a count, or an exact amount as a decimal string; null is an empty cell. */
export type CsvCell = { text: string } | { count: number } | { decimal: string } | null;

const byteOrderMark = '\ufeff';

/** A spreadsheet runs a text that begins with one of these as a formula: an apostrophe in front stops it. */
const formulaStart = /^[=+\-@\t\r]/;

function cellText(cell: CsvCell, decimalSign: string): string {
  if (cell === null) return '';
  if ('text' in cell) return formulaStart.test(cell.text) ? `'${cell.text}` : cell.text;
  return 'count' in cell ? String(cell.count) : cell.decimal.replace('.', decimalSign);
}

function quote(text: string, separator: string): string {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Header and rows as CSV: byte-order mark, CRLF; German with semicolons and decimal commas, English with
 * commas and decimal points. Numbers carry no thousands separators and every digit.
 */
export function toCsv(header: string[], rows: CsvCell[][], language: Language): string {
  const [separator, decimalSign] = language === 'de' ? [';', ','] : [',', '.'];
  const lines = [header.map((text) => ({ text })), ...rows].map((cells) =>
    cells.map((cell) => quote(cellText(cell, decimalSign), separator)).join(separator),
  );
  return `${byteOrderMark}${lines.join('\r\n')}\r\n`;
}
