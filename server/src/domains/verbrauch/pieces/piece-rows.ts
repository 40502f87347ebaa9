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
import { packPiece } from './packed-columns.ts';

const FIRST_ROWS = 16;

/** What a limb of each amount is worth in its smallest unit. */
const worthOf = (name: AmountName): bigint[] =>
  LIMB_EXPONENTS.slice(0, limbsOf(name)).map((exponent) => 10n ** BigInt(scaleOf(name) + exponent));

const abs = (value: bigint) => (value < 0n ? -value : value);

/** Numbers of the values of dimensions, by what stands in their columns. */
export type Numbers = { readonly [value: number]: number };

export class PieceRows {
  readonly #columns = new Map<PieceColumn, Float64Array>();
  #room = FIRST_ROWS;
  #worth = new Map<AmountName, bigint[]>();
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
    if (amount === 0n) return;
    let worth = this.#worth.get(name);
    if (!worth) {
      worth = worthOf(name);
      this.#worth.set(name, worth);
    }
    let rest = amount;
    for (let limb = 0; limb < worth.length && rest !== 0n; limb += 1) {
      const unit = worth[limb] as bigint;
      if (abs(rest) < unit) continue;
      const whole = rest / unit;
      this.set(`${name}_${limb}` as LimbColumn, Number(whole));
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
