/** Rows of a piece while they come. */
import type { DimensionName, OwnDimensionName } from '#contracts';
import {
  type AmountName,
  COLUMN_NUMBERS,
  LIMB_EXPONENTS,
  type LimbColumn,
  limbsOf,
  type PieceColumn,
  scaleOf,
} from './columns.ts';
import { type NumberedColumn, packPiece } from './packed-columns.ts';

const FIRST_ROWS = 4;
/** Columns that hold something, as most pieces have at most, and how many more there are then. */
const FIRST_COLUMNS = 32;
const MORE_COLUMNS = 8;
const NONE = 0;

/** The limbs of an amount, and what each is worth in the amount's smallest unit. */
const limbsIn = (name: AmountName) =>
  LIMB_EXPONENTS.slice(0, limbsOf(name)).map((exponent, limb) => ({
    column: COLUMN_NUMBERS.get(`${name}_${limb}` as LimbColumn) as number,
    worth: 10n ** BigInt(scaleOf(name) + exponent),
  }));
const LIMBS = new Map<AmountName, ReturnType<typeof limbsIn>>();

const abs = (value: bigint) => (value < 0n ? -value : value);

/** Numbers of the values of dimensions, by what stands in their columns. */
export type Numbers = { readonly [value: number]: number };

const MOST_NUMBER = Math.max(...COLUMN_NUMBERS.values());

/** Column after column in one array: most pieces have a few rows, and an array for each column would cost more than they do. */
export class PieceRows {
  #values = new Float64Array(FIRST_ROWS * FIRST_COLUMNS);
  #room = FIRST_ROWS;
  /** By number of a column: its place, from 1. */
  readonly #places = new Array<number>(MOST_NUMBER + 1).fill(NONE);
  #columns = 0;
  /** How many rows there are. */
  count = 0;

  /** Begins a row: all that is not set in it is 0. */
  add(): void {
    this.count += 1;
    if (this.count > this.#room) this.#layOut(2 * this.#room, this.#values.length / this.#room);
  }

  /** A whole number below 2^53 in the last row. */
  set(column: PieceColumn, value: number): void {
    if (value !== 0) this.#put(COLUMN_NUMBERS.get(column) as number, value);
  }

  /** An amount of the last row, in its smallest unit. */
  setAmount(name: AmountName, amount: bigint): void {
    if (amount === 0n) return;
    const limbs = LIMBS.get(name) ?? limbsIn(name);
    LIMBS.set(name, limbs);
    let rest = amount;
    for (const { column, worth } of limbs) {
      if (abs(rest) < worth) continue;
      const whole = rest / worth;
      this.#put(column, Number(whole));
      rest -= whole * worth;
    }
  }

  /** The rows as bytes; values of dimensions are written as what `numbers` has for them. */
  pack(dimensions: readonly (DimensionName | OwnDimensionName)[], numbers: Numbers): Buffer {
    const named = new Set(dimensions.map((name) => COLUMN_NUMBERS.get(name) as number));
    const columns: NumberedColumn[] = [];
    for (let number = 0; number <= MOST_NUMBER; number += 1) {
      const place = this.#places[number] as number;
      if (place === NONE) continue;
      const start = (place - 1) * this.#room;
      columns.push(
        named.has(number)
          ? { number, start: 0, values: this.#named(start, numbers) }
          : { number, start, values: this.#values },
      );
    }
    return packPiece(columns, this.count);
  }

  #named(start: number, numbers: Numbers): Float64Array {
    const values = this.#values.slice(start, start + this.count);
    for (let row = 0; row < values.length; row += 1)
      if (values[row] !== 0) values[row] = numbers[values[row] as number] as number;
    return values;
  }

  #put(column: number, value: number): void {
    let place = this.#places[column] as number;
    if (place === NONE) {
      this.#columns += 1;
      place = this.#columns;
      this.#places[column] = place;
      if (place * this.#room > this.#values.length) this.#layOut(this.#room, place - 1 + MORE_COLUMNS);
    }
    this.#values[(place - 1) * this.#room + this.count - 1] = value;
  }

  #layOut(room: number, columns: number): void {
    const values = new Float64Array(room * columns);
    for (let column = 0; column < this.#columns; column += 1)
      values.set(this.#values.subarray(column * this.#room, (column + 1) * this.#room), column * room);
    this.#values = values;
    this.#room = room;
  }
}
