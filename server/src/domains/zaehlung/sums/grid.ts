/**
 * Sums by period and value, as columns of numbers: thousands of small objects for each stretch would cost more than the
 * adding.
 */
import { FIGURE_NAMES } from '#contracts';
import { HISTOGRAMS, STEPS } from '#domains/verbrauch/index.ts';
import { type Addend, NO_STEP, readFigure, RUNNING_WIDTH as WIDTH } from './figures.ts';

const FIGURES = FIGURE_NAMES.length;
const BINS = STEPS * HISTOGRAMS.length;
const RANGES = 2 * HISTOGRAMS.length;
const FIRST_CELLS = 4;

/** The lowest and the highest step in use; the highest is below the lowest where none is. */
export type StepRange = readonly [low: number, high: number];

export class Grid {
  /** The periods, in the order in which they came. */
  readonly periods: string[] = [];
  readonly #periodNumbers = new Map<string, number>();
  /** By period: the cell of each value. */
  readonly #cellOf: Map<number, number>[] = [];
  /** By cell: its period and its value. */
  readonly periodOf: number[] = [];
  readonly valueOf: number[] = [];
  #numbers = new Float64Array(FIRST_CELLS * WIDTH);
  /** A stretch has fewer events than fit into 16 bits with a sign. */
  #bins: Int16Array;
  /** By cell and histogram: its lowest step and one beyond its highest; few steps are in use. */
  #ranges: Uint8Array;
  /** By cell and figure: what is too large to be a sum of limbs. */
  readonly #beyond = new Map<number, bigint>();
  readonly #histograms: boolean;

  constructor({ histograms }: { histograms: boolean }) {
    this.#histograms = histograms;
    this.#bins = new Int16Array(histograms ? FIRST_CELLS * BINS : 0);
    this.#ranges = new Uint8Array(histograms ? FIRST_CELLS * RANGES : 0);
  }

  get cells(): number {
    return this.valueOf.length;
  }

  /** The number of a period; equal names are the same. */
  period(name: string): number {
    const known = this.#periodNumbers.get(name);
    if (known !== undefined) return known;
    this.#cellOf.push(new Map());
    const number = this.periods.push(name) - 1;
    this.#periodNumbers.set(name, number);
    return number;
  }

  #cell(period: number, value: number): number {
    const cells = this.#cellOf[period] as Map<number, number>;
    const known = cells.get(value);
    if (known !== undefined) return known;
    const cell = this.valueOf.push(value) - 1;
    this.periodOf.push(period);
    cells.set(value, cell);
    if (cell * WIDTH === this.#numbers.length) this.#grow();
    return cell;
  }

  /** Adds what an event adds to the sums of a value in a period, or takes away. */
  add(period: number, value: number, { numbers, used, length, beyond, steps, sign }: Addend): void {
    const cell = this.#cell(period, value);
    const start = cell * WIDTH;
    const sums = this.#numbers;
    for (let each = 0; each < length; each += 1) {
      const index = used[each] as number;
      if (index >= WIDTH) break;
      sums[start + index] = (sums[start + index] as number) + (numbers[index] as number);
    }
    if (beyond.size > 0)
      for (const [figure, amount] of beyond) this.#addBeyond(cell * FIGURES + figure, amount);
    if (!this.#histograms) return;
    for (let histogram = 0; histogram < steps.length; histogram += 1) {
      const step = steps[histogram] as number;
      if (step !== NO_STEP) this.#addSteps(cell, histogram, step, sign);
    }
  }

  /** Adds the sums of another grid, whose periods have the numbers `periods` here. */
  addGrid(other: Grid, periods: readonly number[]): void {
    for (let from = 0; from < other.cells; from += 1) {
      const period = periods[other.periodOf[from] as number] as number;
      this.#addCell(this.#cell(period, other.valueOf[from] as number), other, from);
    }
  }

  #addCell(cell: number, other: Grid, from: number): void {
    const sums = this.#numbers;
    const more = other.#numbers;
    for (let index = 0; index < WIDTH; index += 1)
      sums[cell * WIDTH + index] =
        (sums[cell * WIDTH + index] as number) + (more[from * WIDTH + index] as number);
    if (other.#beyond.size > 0)
      for (let figure = 0; figure < FIGURES; figure += 1) {
        const beyond = other.#beyond.get(from * FIGURES + figure);
        if (beyond !== undefined) this.#addBeyond(cell * FIGURES + figure, beyond);
      }
    if (!this.#histograms || !other.#histograms) return;
    for (let histogram = 0; histogram < HISTOGRAMS.length; histogram += 1) {
      const range = from * RANGES + 2 * histogram;
      const start = from * BINS + histogram * STEPS;
      const end = other.#ranges[range + 1] as number;
      for (let step = other.#ranges[range] as number; step < end; step += 1)
        this.#addSteps(cell, histogram, step, other.#bins[start + step] as number);
    }
  }

  #addSteps(cell: number, histogram: number, step: number, count: number): void {
    const at = cell * BINS + histogram * STEPS + step;
    this.#bins[at] = (this.#bins[at] as number) + count;
    const range = cell * RANGES + 2 * histogram;
    const beyond = this.#ranges[range + 1] as number;
    if (beyond === 0 || step < (this.#ranges[range] as number)) this.#ranges[range] = step;
    if (step >= beyond) this.#ranges[range + 1] = step + 1;
  }

  #addBeyond(at: number, more: bigint): void {
    this.#beyond.set(at, (this.#beyond.get(at) ?? 0n) + more);
  }

  /** A figure of running sums by its place in `FIGURE_NAMES`; amounts in their smallest unit. */
  figure(cell: number, figure: number): number | bigint {
    const sum = readFigure(this.#numbers, cell * WIDTH, figure);
    const beyond = this.#beyond.size === 0 ? undefined : this.#beyond.get(cell * FIGURES + figure);
    return beyond === undefined ? sum : beyond + BigInt(sum);
  }

  /** How many there are in each step of each histogram: those of one are all added or all taken away. */
  get bins(): Int16Array {
    return this.#bins;
  }

  /** Where among them the first step of a histogram stands. */
  firstStep(cell: number, histogram: number): number {
    return cell * BINS + histogram * STEPS;
  }

  stepRange(cell: number, histogram: number): StepRange {
    const range = cell * RANGES + 2 * histogram;
    const first = this.firstStep(cell, histogram);
    let low = this.#ranges[range] as number;
    let high = (this.#ranges[range + 1] as number) - 1;
    // What was taken away may have been added again.
    while (low <= high && this.#bins[first + low] === 0) low += 1;
    while (low <= high && this.#bins[first + high] === 0) high -= 1;
    return [low, high];
  }

  #grow(): void {
    const numbers = new Float64Array(2 * this.#numbers.length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const bins = new Int16Array(2 * this.#bins.length);
    bins.set(this.#bins);
    this.#bins = bins;
    const ranges = new Uint8Array(2 * this.#ranges.length);
    ranges.set(this.#ranges);
    this.#ranges = ranges;
  }
}
