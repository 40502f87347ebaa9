/** Bytes as a table of texts, before anything of it has a meaning. */
import { InvalidInput } from '#kernel/errors.ts';
import { type CsvLine, readCsv } from '#platform/csv-file.ts';
import { notText, tooLarge } from './faults.ts';

const MOST_MEGABYTES = 10;
export const MOST_BYTES = MOST_MEGABYTES * 1024 * 1024;
export const MOST_LINES = 200_000;
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

/** The lines that hold anything, the head first: exports have commas, spreadsheets make semicolons or tabs of them. Throws 422. */
export function linesOf(bytes: Uint8Array): [CsvLine, ...CsvLine[]] {
  if (bytes.length > MOST_BYTES) throw new InvalidInput(tooLarge(MOST_MEGABYTES));
  const csv = decode(bytes);
  if (csv.includes('\0')) throw new InvalidInput(notText());
  return readCsv(csv, { delimiters: [',', ';', '\t'], lines: MOST_LINES });
}
