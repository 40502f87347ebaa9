/** The exports of usage and cost that providers let their customers download, as rows of one form. */
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { CsvLine } from '#platform/csv-file.ts';
import { faultyCell, MOST_FAULTS, otherWidth, twoOfAColumn, unknownFile } from './faults.ts';
import { type Column, type Format, formatOf, knownFormats } from './formats.ts';
import { modelOf } from './model.ts';
import { linesOf } from './table.ts';
import { type Read, readAmount, readCount, readCurrency, readInstant, readText } from './values.ts';

/** A line of an export. What the file does not say is null. */
export interface UsageRow {
  /** `YYYY-MM`, in UTC. */
  monat: string;
  /** `YYYY-MM-DD`, in UTC; null where the line is of more than a day. */
  tag: string | null;
  modell: string | null;
  /** What was charged, in the provider's words; null in files of usage. */
  posten: string | null;
  /** As the provider counts them: of OpenAI with what was read from the cache, of Anthropic without. */
  eingabe_token: bigint | null;
  ausgabe_token: bigint | null;
  cache_lese_token: bigint | null;
  cache_schreib_token: bigint | null;
  aufrufe: bigint | null;
  /** Plain decimal; credits are negative. */
  betrag: string | null;
  waehrung: 'USD' | 'EUR' | null;
}

export interface UsageFile {
  anbieter: Format['anbieter'];
  art: Format['art'];
  zeilen: UsageRow[];
}

interface Head {
  format: Format;
  names: string[];
  /** The places of each column, the first name first. */
  places: Map<Column, number[]>;
}

const DAY = 86_400_000;
const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** Throws 422 for heads of no known export, and for those that are there twice. */
function headOf({ cells }: CsvLine): Head {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[\s-]+/g, '_'));
  const format = formatOf(names);
  if (!format) throw new InvalidInput(unknownFile(knownFormats(), cells));
  const repeated = names.filter((name, place) => name !== '' && names.indexOf(name) < place);
  if (repeated.length > 0) throw new InvalidInput(repeated.map(twoOfAColumn));
  const places = Object.entries(format.columns).map(([column, known]): [Column, number[]] => [
    column as Column,
    known.map((name) => names.indexOf(name)).filter((place) => place >= 0),
  ]);
  return { format, names, places: new Map(places) };
}

/** The cells of one line, read by column; what cannot be read is kept as a fault. */
class Cells {
  readonly faults: ValueFault[] = [];
  readonly #head: Head;
  readonly #line: CsvLine;

  constructor(head: Head, line: CsvLine) {
    this.#head = head;
    this.#line = line;
  }

  #filled(column: Column): number[] {
    return (this.#head.places.get(column) ?? []).filter((place) => this.#line.cells[place] !== '');
  }

  #at<Value>(place: number, reader: (cell: string) => Read<Value>): Value | null {
    const read = reader(this.#line.cells[place] as string);
    if ('value' in read) return read.value;
    this.#refuse(place, read.reason);
    return null;
  }

  #refuse(place: number, reason: Sentence): void {
    const { number, cells } = this.#line;
    this.faults.push(faultyCell(number, this.#head.names[place] as string, cells[place] ?? '', reason));
  }

  /** The first of the column's cells that is not empty, null if none is. */
  read<Value>(column: Column, reader: (cell: string) => Read<Value>): Value | null {
    const [place] = this.#filled(column);
    return place === undefined ? null : this.#at(place, reader);
  }

  /** All of the column's cells added, null if all are empty. */
  total(column: Column): bigint | null {
    const counts = this.#filled(column).map((place) => this.#at(place, readCount));
    return counts.length === 0 ? null : counts.reduce<bigint>((sum, count) => sum + (count ?? 0n), 0n);
  }

  /** Notes what is wrong with a column, at the place where it would be read first. */
  refuse(column: Column, reason: Sentence): void {
    this.#refuse(this.#filled(column)[0] ?? this.#head.places.get(column)?.[0] ?? 0, reason);
  }

  /** Whether nothing stands in any cell but those of the time: exports write days without usage so. */
  isEmptyDay(): boolean {
    const times = [...(this.#head.places.get('beginn') ?? []), ...(this.#head.places.get('ende') ?? [])];
    return this.#line.cells.every((cell, place) => cell === '' || times.includes(place));
  }
}

/** The month and, if it is one, the day of a line. */
function readTime(cells: Cells): Pick<UsageRow, 'monat' | 'tag'> {
  const before = cells.faults.length;
  const begin = cells.read('beginn', readInstant);
  const end = cells.read('ende', readInstant);
  if (begin === null) {
    if (cells.faults.length === before)
      cells.refuse('beginn', { de: 'darf nicht leer sein', en: 'must not be empty' });
    return { monat: '', tag: null };
  }
  const first = dateOf(begin);
  const last = end === null ? first : dateOf(Math.max(begin, end - 1));
  if (end !== null && end < begin)
    cells.refuse('ende', { de: 'liegt vor dem Beginn', en: 'is before the beginning' });
  else if (last.slice(0, 7) !== first.slice(0, 7))
    cells.refuse('ende', {
      de: 'die Zeile reicht über einen Monat (UTC) hinaus; bitte nach Tagen ausgeben',
      en: 'the line reaches beyond a month (UTC); please export by day',
    });
  return { monat: first.slice(0, 7), tag: first === last && (end ?? begin) - begin <= DAY ? first : null };
}

function toRow(format: Format, cells: Cells): UsageRow {
  const posten = cells.read('posten', readText);
  const betrag = cells.read('betrag', readAmount);
  const waehrung = format.columns.waehrung ? cells.read('waehrung', readCurrency) : ('USD' as const);
  return {
    ...readTime(cells),
    modell: posten === null ? cells.read('modell', readText) : modelOf(posten),
    posten,
    eingabe_token: cells.read('eingabe', readCount),
    ausgabe_token: cells.read('ausgabe', readCount),
    cache_lese_token: cells.read('cache_lese', readCount),
    cache_schreib_token: cells.total('cache_schreib'),
    aufrufe: cells.read('aufrufe', readCount),
    betrag,
    waehrung: betrag === null ? null : waehrung,
  };
}

/**
 * Reads an export of OpenAI or Anthropic, known by its columns in any order and case: commas, semicolons or tabs, UTF-8, UTF-16 with a mark
 * or Windows-1252. Days without usage are left out. Throws 422 that names line and column of whatever cannot be read
 * (`["csv", 3, "amount_value"]`); then nothing is read.
 */
export function readUsageCsv(bytes: Uint8Array): UsageFile {
  const [first, ...lines] = linesOf(bytes);
  const head = headOf(first);
  const zeilen: UsageRow[] = [];
  const faults: ValueFault[] = [];
  for (const line of lines) {
    if (faults.length >= MOST_FAULTS) break;
    if (line.cells.length !== head.names.length) {
      faults.push(otherWidth(line.number, line.cells.length, head.names.length));
      continue;
    }
    const cells = new Cells(head, line);
    if (cells.isEmptyDay()) continue;
    zeilen.push(toRow(head.format, cells));
    faults.push(...cells.faults);
  }
  if (faults.length > 0) throw new InvalidInput(faults);
  return { anbieter: head.format.anbieter, art: head.format.art, zeilen };
}
