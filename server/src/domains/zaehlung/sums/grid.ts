/**
 * Sums by period and value, as columns of numbers: thousands of small objects for each stretch would cost more than the
 * adding. Counts beyond 2^53 go on as BigInt.
 */
import { HISTOGRAMS, STEPS } from '#domains/verbrauch/index.ts';
import { COUNT_NAMES } from './figures.ts';

const COUNTS = COUNT_NAMES.length;
const BINS = STEPS * HISTOGRAMS.length;
const RANGES = 2 * HISTOGRAMS.length;
const FIRST_CELLS = 256;

/** The lowest and the highest step in use; the highest is below the lowest where none is. */
export type StepRange = readonly [low: number, high: number];

export class Grid {
  /** Names of the sums of money, each an array by cell. */
  readonly #money: bigint[][];
  /** The periods, in the order in which they came. */
  readonly periods: string[] = [];
  readonly #periodNumbers = new Map<string, number>();
  /** By period: the cell of each value. */
  readonly #cellOf: Map<number, number>[] = [];
  /** By cell: its period and its value. */
  readonly periodOf: number[] = [];
  readonly valueOf: number[] = [];
  #counts = new Float64Array(FIRST_CELLS * COUNTS);
  /** A stretch has fewer events than fit into 16 bits. */
  #bins = new Uint16Array(FIRST_CELLS * BINS);
  /** By cell and histogram: its lowest step and one beyond its highest; few steps are in use. */
  #ranges = new Uint8Array(FIRST_CELLS * RANGES);
  readonly #beyond = new Map<number, bigint>();

  constructor(sumsOfMoney: number) {
    this.#money = Array.from({ length: sumsOfMoney }, () => []);
  }

  get cells(): number {
    return this.valueOf.length;
  }

  /** The number of a period; equal names are the same. */
  period(name: string): number {
    const known = this.#periodNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.addPeriod(name);
    this.#periodNumbers.set(name, number);
    return number;
  }

  /** A further period, whatever its name. */
  addPeriod(name: string): number {
    this.#cellOf.push(new Map());
    return this.periods.push(name) - 1;
  }

  /** The cell of a value in a period. */
  cell(period: number, value: number): number {
    const cells = this.#cellOf[period] as Map<number, number>;
    const known = cells.get(value);
    if (known !== undefined) return known;
    const cell = this.valueOf.push(value) - 1;
    this.periodOf.push(period);
    cells.set(value, cell);
    for (const sums of this.#money) sums.push(0n);
    if (cell * COUNTS === this.#counts.length) this.#grow();
    return cell;
  }

  /** Adds numbers in the order of `COUNT_NAMES`. */
  addCounts(cell: number, counts: Float64Array): void {
    const start = cell * COUNTS;
    for (let index = 0; index < COUNTS; index += 1) this.#addCount(start + index, counts[index] as number);
  }

  addMoney(cell: number, which: number, amount: bigint): void {
    const sums = this.#money[which] as bigint[];
    sums[cell] = (sums[cell] as bigint) + amount;
  }

  /** Counts one more in a step of a histogram. */
  addStep(cell: number, histogram: number, step: number): void {
    this.#addSteps(cell, histogram, step, 1);
  }

  #addSteps(cell: number, histogram: number, step: number, count: number): void {
    const at = cell * BINS + histogram * STEPS + step;
    this.#bins[at] = (this.#bins[at] as number) + count;
    const range = cell * RANGES + 2 * histogram;
    const beyond = this.#ranges[range + 1] as number;
    if (beyond === 0 || step < (this.#ranges[range] as number)) this.#ranges[range] = step;
    if (step >= beyond) this.#ranges[range + 1] = step + 1;
  }

  /** Adds counts and histograms of a cell of another grid. */
  addCell(cell: number, other: Grid, from: number): void {
    for (let index = 0; index < COUNTS; index += 1) {
      this.#addCount(cell * COUNTS + index, other.#counts[from * COUNTS + index] as number);
      const beyond = other.#beyond.get(from * COUNTS + index);
      if (beyond !== undefined) this.#addBeyond(cell * COUNTS + index, beyond);
    }
    for (let histogram = 0; histogram < HISTOGRAMS.length; histogram += 1) {
      const range = from * RANGES + 2 * histogram;
      const start = from * BINS + histogram * STEPS;
      const end = other.#ranges[range + 1] as number;
      for (let step = other.#ranges[range] as number; step < end; step += 1)
        this.#addSteps(cell, histogram, step, other.#bins[start + step] as number);
    }
  }

  count(cell: number, index: number): number | bigint {
    const at = cell * COUNTS + index;
    const beyond = this.#beyond.get(at);
    const count = this.#counts[at] as number;
    return beyond === undefined ? count : beyond + BigInt(count);
  }

  money(cell: number, which: number): bigint {
    return this.#money[which]?.[cell] as bigint;
  }

  /** How many there are in each step of a histogram. */
  steps(cell: number, histogram: number): Uint16Array {
    const start = cell * BINS + histogram * STEPS;
    return this.#bins.subarray(start, start + STEPS);
  }

  stepRange(cell: number, histogram: number): StepRange {
    const range = cell * RANGES + 2 * histogram;
    return [this.#ranges[range] as number, (this.#ranges[range + 1] as number) - 1];
  }

  #addCount(at: number, count: number): void {
    const before = this.#counts[at] as number;
    const sum = before + count;
    if (sum <= Number.MAX_SAFE_INTEGER) this.#counts[at] = sum;
    else {
      this.#addBeyond(at, BigInt(before) + BigInt(count));
      this.#counts[at] = 0;
    }
  }

  #addBeyond(at: number, more: bigint): void {
    this.#beyond.set(at, (this.#beyond.get(at) ?? 0n) + more);
  }

  #grow(): void {
    const counts = new Float64Array(2 * this.#counts.length);
    counts.set(this.#counts);
    this.#counts = counts;
    const bins = new Uint16Array(2 * this.#bins.length);
    bins.set(this.#bins);
    this.#bins = bins;
    const ranges = new Uint8Array(2 * this.#ranges.length);
    ranges.set(this.#ranges);
    this.#ranges = ranges;
  }
}
