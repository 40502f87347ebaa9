/**
 * CSV files as people and spreadsheets write them, as texts in lines, before anything of them has a meaning. How much stands in a file is
 * counted before anything is made of it: columns and cells cost by their number, and a few bytes may be millions of them.
 */
import { parse } from 'csv-parse/sync';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';

/** A line that holds anything. */
export interface CsvLine {
  /** Where it ends in the file; the first one is 1. */
  number: number;
  cells: string[];
}

export interface CsvForm {
  /** What may stand between cells: the one that the head has most of, the first of them where it has none. */
  delimiters: readonly string[];
  /** Lines below the head at most. */
  lines: number;
}

/** The widest export of a provider has some fifty. */
export const MOST_COLUMNS = 200;
/** Cells of ordinary files have more than four characters. */
export const MOST_CELLS = 500_000;
/** Characters of a line, which has some hundreds; one without end is an open quote. */
const MOST_OF_A_LINE = 100_000;

const fault = (line: number | null, de: string, en: string): ValueFault => ({
  path: line === null ? ['csv'] : ['csv', line],
  input: null,
  reason: { de, en },
});

/** What cannot be read as CSV from this line on. */
const noCsv = (line: number): ValueFault =>
  fault(line, 'das ist keine lesbare CSV-Datei', 'this is no CSV that can be read');

const tooMany = (most: number, de: string, en: string): ValueFault =>
  fault(null, `höchstens ${most} ${de}`, `at most ${most} ${en}`);

const tooManyLines = (most: number): ValueFault => tooMany(most, 'Zeilen', 'lines');

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;

const isLineEnd = (code: number) => code === LINE_FEED || code === RETURN;

/** Counts what stands in a file; each step says what there is too much of by now, null while all is within reason. */
class Extent {
  readonly #mostLines: number;
  #cells = 0;
  #columns = 1;
  #lines = 0;
  #began = 0;
  isFilled = false;

  constructor(mostLines: number) {
    this.#mostLines = mostLines;
  }

  goOn(at: number): ValueFault | null {
    return at - this.#began > MOST_OF_A_LINE ? noCsv(this.#lines + 1) : null;
  }

  addCell(): ValueFault | null {
    this.#cells += 1;
    this.#columns += 1;
    if (this.#columns > MOST_COLUMNS) return tooMany(MOST_COLUMNS, 'Spalten', 'columns');
    return this.#cells > MOST_CELLS ? tooMany(MOST_CELLS, 'Zellen', 'cells') : null;
  }

  endLine(at: number): ValueFault | null {
    if (this.isFilled) this.#lines += 1;
    this.#columns = 1;
    this.isFilled = false;
    this.#began = at;
    // The head is one more.
    return this.#lines > this.#mostLines + 1 ? tooManyLines(this.#mostLines) : null;
  }
}

/** What a text has too much of; null when it is within reason. Quotes are taken as the parser takes them, up to where it gives up. */
function excessOf(text: string, delimiter: string, mostLines: number): ValueFault | null {
  const between = delimiter.charCodeAt(0);
  const extent = new Extent(mostLines);
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    let excess = extent.goOn(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && code === between) excess ??= extent.addCell();
    else if (!isQuoted && isLineEnd(code)) excess ??= extent.endLine(at);
    else if (code > BLANK) extent.isFilled = true;
    if (excess) return excess;
  }
  return null;
}

/** The delimiter that the first line has most of. */
function delimiterOf(text: string, delimiters: readonly string[]): string {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  for (let at = 0; at < text.length && !isLineEnd(text.charCodeAt(at)); at += 1) {
    const count = counts.get(text[at] as string);
    if (count !== undefined) counts.set(text[at] as string, count + 1);
  }
  const most = Math.max(...counts.values());
  return delimiters.find((delimiter) => counts.get(delimiter) === most) as string;
}

/** The lines that hold anything, the head first. Throws InvalidInput, at `csv`, for what is too much or no CSV. */
export function readCsv(text: string, { delimiters, lines }: CsvForm): [CsvLine, ...CsvLine[]] {
  const delimiter = delimiterOf(text, delimiters);
  const excess = excessOf(text, delimiter, lines);
  if (excess) throw new InvalidInput(excess);
  const read: CsvLine[] = [];
  try {
    parse(text, {
      bom: true,
      delimiter,
      max_record_size: MOST_OF_A_LINE,
      on_record: (cells: string[], { lines: number }) => {
        if (cells.some((cell) => cell !== '')) read.push({ number, cells });
        return null;
      },
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    throw new InvalidInput(noCsv((error as { lines?: number }).lines ?? 1));
  }
  const [head, ...rest] = read;
  if (!head) throw new InvalidInput(noCsv(1));
  if (rest.length > lines) throw new InvalidInput(tooManyLines(lines));
  return [head, ...rest];
}
