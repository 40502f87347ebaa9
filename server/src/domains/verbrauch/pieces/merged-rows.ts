/** The rows of several pieces, by column, and their order: no object for a row. */
import { createBreath } from './breath.ts';
import { isFigure, type PieceColumn } from './columns.ts';
import { packColumns, readPiece } from './packed-columns.ts';

/** What rows are put in order by, the first before the others. */
const ORDER: readonly PieceColumn[] = ['tag', 'endkunde', 'agent', 'modell'];

const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;

/** Rows in the order of the values, those alike as they were: digit by digit from the lowest on. */
function sorted(rows: Uint32Array, values: Float64Array): Uint32Array {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  let order = rows;
  for (let factor = 1; factor <= most - least; factor *= DIGITS) {
    const digit = (row: number) => Math.floor(((values[row] as number) - least) / factor) % DIGITS;
    order = byDigit(order, digit);
  }
  return order;
}

function byDigit(rows: Uint32Array, digit: (row: number) => number): Uint32Array {
  const starts = new Uint32Array(DIGITS + 1);
  for (const row of rows) {
    const next = digit(row) + 1;
    starts[next] = (starts[next] as number) + 1;
  }
  for (let value = 0; value < DIGITS; value += 1)
    starts[value + 1] = (starts[value + 1] as number) + (starts[value] as number);
  const order = new Uint32Array(rows.length);
  for (const row of rows) {
    const value = digit(row);
    const at = starts[value] as number;
    order[at] = row;
    starts[value] = at + 1;
  }
  return order;
}

/** A column, and what its values are multiplied by in a call that is taken back. */
interface SignedColumn {
  values: Float64Array;
  turned: number;
}

const FACTOR = 0x9e3779b1;

/** The same of a call and of the row that takes it back (`isTurned`), rarely of others. */
function hashOf(columns: readonly SignedColumn[], row: number, isTurned: boolean): number {
  let hash = 0;
  for (const { values, turned } of columns) {
    const value = values[row] as number;
    hash = Math.imul(hash ^ (isTurned ? turned * value : value), FACTOR);
  }
  return hash;
}

const isTakenBack = (columns: readonly SignedColumn[], row: number, back: number): boolean =>
  columns.every(({ values, turned }) => values[row] === turned * (values[back] as number));

/** Rows that follow each other in order, and their days. */
export interface Run {
  rows: Uint32Array;
  /** Days since 1970. */
  first: number;
  last: number;
}

export class MergedRows {
  readonly #columns = new Map<PieceColumn, Float64Array>();
  readonly #count: number;
  readonly #breath = createBreath();
  #added = 0;

  /** Has room for `count` rows. */
  constructor(count: number) {
    this.#count = count;
  }

  /** Adds the rows of a packed piece. */
  async add(piece: Uint8Array, rows: number): Promise<void> {
    if (this.#added + rows > this.#count) throw new Error('more rows than there is room for');
    const count = readPiece(piece, (name, found) => {
      if (found !== rows) throw new Error(`${found} rows in a piece of ${rows}`);
      return this.#of(name).subarray(this.#added, this.#added + rows);
    });
    if (count !== rows) throw new Error(`${count} rows in a piece of ${rows}`);
    this.#added += rows;
    await this.#breath();
  }

  /** All rows, but for calls that were taken back as they had been counted. */
  async #left(): Promise<Uint32Array> {
    const all = Uint32Array.from({ length: this.#added }, (_, row) => row);
    const calls = this.#columns.get('aufrufe');
    if (!calls?.some((count) => count < 0)) return all;
    const columns = [...this.#columns].map(([name, values]) => ({ values, turned: isFigure(name) ? -1 : 1 }));
    const taken = new Map<number, number[]>();
    const minutes = this.#of('minute');
    const looked = new Set<number>();
    for (const row of all) {
      if ((calls[row] as number) >= 0) continue;
      const hash = hashOf(columns, row, true);
      const alike = taken.get(hash);
      if (alike) alike.push(row);
      else taken.set(hash, [row]);
      looked.add(minutes[row] as number);
      await this.#breath();
    }
    const gone = new Set<number>();
    for (const row of all) {
      if ((calls[row] as number) <= 0 || !looked.has(minutes[row] as number)) continue;
      const alike = taken.get(hashOf(columns, row, false)) ?? [];
      const place = alike.findLastIndex((back) => isTakenBack(columns, row, back));
      if (place >= 0) gone.add(row).add(alike.splice(place, 1)[0] as number);
      await this.#breath();
    }
    return all.filter((row) => !gone.has(row));
  }

  /** The rows not yet taken, in order, cut where `key` of the day changes and after `most` rows. */
  async runs(key: (day: number) => number, most: number): Promise<Run[]> {
    let order = await this.#left();
    for (const name of ORDER.toReversed()) {
      const values = this.#columns.get(name);
      if (values) order = sorted(order, values);
      await this.#breath();
    }
    const days = this.#of('tag');
    const runs: Run[] = [];
    const keyOf = remembered(key);
    let start = 0;
    for (let at = 1; at <= order.length; at += 1) {
      const first = days[order[start] as number] as number;
      const isLast = at === order.length;
      if (!isLast && at - start < most && keyOf(days[order[at] as number] as number) === keyOf(first))
        continue;
      runs.push({ rows: order.subarray(start, at), first, last: days[order[at - 1] as number] as number });
      start = at;
    }
    return runs;
  }

  /** These rows as a piece. */
  pack({ rows }: Run): Promise<Buffer> {
    return packColumns(this.#gathered(rows), rows.length);
  }

  *#gathered(rows: Uint32Array): Generator<readonly [PieceColumn, Float64Array]> {
    const gathered = new Float64Array(rows.length);
    for (const [name, values] of this.#columns) {
      for (let at = 0; at < rows.length; at += 1) gathered[at] = values[rows[at] as number] as number;
      yield [name, gathered];
    }
  }

  #of(name: PieceColumn): Float64Array {
    const values = this.#columns.get(name) ?? new Float64Array(this.#count);
    this.#columns.set(name, values);
    return values;
  }
}

function remembered(key: (day: number) => number): (day: number) => number {
  const known = new Map<number, number>();
  return (day) => {
    const found = known.get(day) ?? key(day);
    known.set(day, found);
    return found;
  };
}
