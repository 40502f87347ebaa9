/** Rows of a piece while they come. */
import type { DimensionName, OwnDimensionName } from '#contracts';
import {
  type AmountName,
  LIMB_EXPONENTS,
  type LimbColumn,
  limbsOf,
  type PieceColumn,
  scaleOf,
} from './columns.ts';
import { packPiece, type Values } from './packed-columns.ts';

/** The limbs of an amount, and what each is worth in the amount's smallest unit. */
const limbsIn = (name: AmountName) =>
  LIMB_EXPONENTS.slice(0, limbsOf(name)).map((exponent, limb) => ({
    column: `${name}_${limb}` as LimbColumn,
    worth: 10n ** BigInt(scaleOf(name) + exponent),
  }));
const LIMBS = new Map<AmountName, ReturnType<typeof limbsIn>>();

const abs = (value: bigint) => (value < 0n ? -value : value);

/** Numbers of the values of dimensions, by what stands in their columns. */
export type Numbers = { readonly [value: number]: number };

export class PieceRows {
  /** As far as they are not 0: most pieces have a few rows, and typed arrays would cost more than they do. */
  readonly #columns = new Map<PieceColumn, number[]>();
  /** How many rows there are. */
  count = 0;

  /** Begins a row: all that is not set in it is 0. */
  add(): void {
    this.count += 1;
  }

  /** A whole number below 2^53 in the last row. */
  set(column: PieceColumn, value: number): void {
    if (value === 0) return;
    const values = this.#columns.get(column) ?? [];
    if (values.length === 0) this.#columns.set(column, values);
    while (values.length < this.count) values.push(0);
    values[this.count - 1] = value;
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
      this.set(column, Number(whole));
      rest -= whole * worth;
    }
  }

  /** The rows as bytes; values of dimensions are written as what `numbers` has for them. */
  pack(dimensions: readonly (DimensionName | OwnDimensionName)[], numbers: Numbers): Buffer {
    const columns = new Map<PieceColumn, Values>(this.#columns);
    for (const name of dimensions) {
      const values = this.#columns.get(name);
      const named = values?.map((value) => (value === 0 ? 0 : (numbers[value] as number)));
      if (named) columns.set(name, named);
    }
    return packPiece(columns, this.count);
  }
}
