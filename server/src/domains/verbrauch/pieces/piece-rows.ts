/** Rows of a piece while they come. */
import type { DimensionName, OwnDimensionName } from '#contracts';
import {
  AMOUNT_NAMES,
  type AmountName,
  LIMB_EXPONENTS,
  type LimbColumn,
  limbsOf,
  type PieceColumn,
  scaleOf,
} from './columns.ts';
import { packPiece } from './packed-columns.ts';

const FIRST_ROWS = 16;

/** By amount its limbs, the largest first: the column of each, and what it is worth in the amount's smallest unit. */
const LIMBS = Object.fromEntries(
  AMOUNT_NAMES.map((name) => [
    name,
    LIMB_EXPONENTS.slice(0, limbsOf(name)).map((exponent, limb) => ({
      column: `${name}_${limb}` as LimbColumn,
      unit: 10n ** BigInt(scaleOf(name) + exponent),
    })),
  ]),
) as Record<AmountName, { column: LimbColumn; unit: bigint }[]>;

/** Numbers of the values of dimensions, by what stands in their columns. */
export type Numbers = { readonly [value: number]: number };

export class PieceRows {
  readonly #columns = new Map<PieceColumn, Float64Array>();
  #room = FIRST_ROWS;
  /** How many rows there are. */
  count = 0;

  /** Begins a row: all that is not set in it is 0. */
  add(): void {
    this.count += 1;
    if (this.count > this.#room) this.#grow();
  }

  /** A whole number below 2^53 in the last row. */
  set(column: PieceColumn, value: number): void {
    if (value === 0) return;
    let values = this.#columns.get(column);
    if (!values) {
      values = new Float64Array(this.#room);
      this.#columns.set(column, values);
    }
    values[this.count - 1] = value;
  }

  /** An amount of the last row, in its smallest unit. */
  setAmount(name: AmountName, amount: bigint): void {
    let rest = amount;
    for (const { column, unit } of LIMBS[name]) {
      if (rest === 0n) return;
      const whole = rest / unit;
      if (whole === 0n) continue;
      this.set(column, Number(whole));
      rest -= whole * unit;
    }
  }

  /** The rows as bytes; values of dimensions are written as what `numbers` has for them. */
  pack(dimensions: readonly (DimensionName | OwnDimensionName)[], numbers: Numbers): Buffer {
    const columns = new Map(this.#columns);
    for (const name of dimensions) {
      const values = columns.get(name);
      if (values)
        columns.set(
          name,
          values.map((value) => (value === 0 ? 0 : (numbers[value] as number))),
        );
    }
    return packPiece(columns, this.count);
  }

  #grow(): void {
    this.#room *= 2;
    for (const [column, values] of this.#columns) {
      const grown = new Float64Array(this.#room);
      grown.set(values);
      this.#columns.set(column, grown);
    }
  }
}
