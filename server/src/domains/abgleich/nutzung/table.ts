/** Bytes as a table of texts, before anything of it has a meaning. */
import { parse } from 'csv-parse/sync';
import { InvalidInput } from '#kernel/errors.ts';
import { noCsv, notText, tooLarge, tooManyLines } from './faults.ts';

const MOST_MEGABYTES = 10;
export const MOST_BYTES = MOST_MEGABYTES * 1024 * 1024;
export const MOST_LINES = 200_000;
/** A line of the exports has some hundreds of characters; one without end is an open quote. */
const MOST_LINE = 100_000;

export interface Line {
  /** Where it ends in the file; the head is 1. */
  number: number;
  cells: string[];
}

/** UTF-16 where a mark says so, UTF-8 where it is, else Windows-1252, which any bytes are. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const marked =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  try {
    return new TextDecoder(marked ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    if (marked) throw new InvalidInput(notText());
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The sign that the head has most of: exports have commas, spreadsheets make semicolons or tabs of them. */
function delimiterOf(csv: string): string {
  const head = csv.slice(0, csv.search(/[\r\n]|$/));
  const count = (sign: string) => head.split(sign).length;
  return [',', ';', '\t'].reduce((most, sign) => (count(sign) > count(most) ? sign : most));
}

/** The lines that hold anything, the head first. Throws 422 for what is too large, no text or no CSV. */
export function linesOf(bytes: Uint8Array): [Line, ...Line[]] {
  if (bytes.length > MOST_BYTES) throw new InvalidInput(tooLarge(MOST_MEGABYTES));
  const csv = decode(bytes);
  if (csv.includes('\0')) throw new InvalidInput(notText());
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      info: true,
      max_record_size: MOST_LINE,
      relax_column_count: true,
      skip_empty_lines: true,
      to: MOST_LINES + 2,
      trim: true,
    }) as unknown as typeof records;
  } catch (error) {
    throw new InvalidInput(noCsv((error as { lines?: number }).lines ?? 1));
  }
  const [head, ...rest] = records.map(({ record, info }) => ({ number: info.lines, cells: record }));
  if (!head) throw new InvalidInput(noCsv(1));
  if (rest.length > MOST_LINES) throw new InvalidInput(tooManyLines(MOST_LINES));
  return [head, ...rest];
}
