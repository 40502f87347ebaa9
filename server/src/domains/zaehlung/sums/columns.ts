/** Sums of several Mandanten as the columns of one statement, each an array in PostgreSQL's binary form. */

import { FIGURE_NAMES } from '#contracts';
import { STEP_DIGITS, STEPS, SUM_COLUMNS, type SumColumn } from '#domains/verbrauch/index.ts';
import { EUR_SCALE } from '#kernel/money.ts';
import { BinaryArray, type ElementType } from '#platform/database/copy/binary-array.ts';
import type { Grid, StepRange } from './grid.ts';

/** The sums of one Mandant by one period, with the numbers of its values. */
export interface NumberedGrid {
  /** Place of the Mandant in the statement's list, from 1. */
  mandant: number;
  grid: Grid;
  dimensions: readonly number[];
  /** `merkmal_id` by value. */
  ids: Int32Array;
}

const BASE = 10_000;
/** Digits to the base of 10,000 of a step in the number of its histogram. */
const GROUPS = STEP_DIGITS / 4;

/**
 * Writes a histogram, whose steps begin at `first`, as one number without its sign, `STEP_DIGITS` decimal digits a step, the first step last: its digits to the base of
 * 10,000 from the highest step in use to the lowest. Returns how many they are.
 */
export function writeHistogram(
  digits: Uint16Array,
  bins: Int16Array,
  first: number,
  [low, high]: StepRange,
): number {
  let count = 0;
  for (let step = high; step >= low; step -= 1) {
    // A stretch has too few calls for more than two of a step's digits.
    const calls = Math.abs(bins[first + step] as number);
    digits.fill(0, count, count + GROUPS);
    digits[count + GROUPS - 2] = Math.floor(calls / BASE);
    digits[count + GROUPS - 1] = calls % BASE;
    count += GROUPS;
  }
  return count;
}

const histogramDigits = new Uint16Array(STEPS * GROUPS);

function addHistogram(out: BinaryArray, grid: Grid, cell: number, histogram: number): void {
  const range = grid.stepRange(cell, histogram);
  const { bins } = grid;
  const first = grid.firstStep(cell, histogram);
  const count = writeHistogram(histogramDigits, bins, first, range);
  out.digits(histogramDigits, count, GROUPS * range[0], count > 0 && (bins[first + range[0]] as number) < 0);
}

type Add = (out: BinaryArray, grid: Grid, cell: number) => void;

const [CALLS, FAILURES, UNPRICED, ESTIMATED, INPUT, OUTPUT, EUR] = (
  [
    ...(['aufrufe', 'fehler', 'unbepreist', 'geschaetzt'] as const),
    ...(['eingabe_token', 'ausgabe_token', 'kosten_eur'] as const),
  ] as const
).map((name) => FIGURE_NAMES.indexOf(name)) as [number, number, number, number, number, number, number];

const count =
  (figure: number): Add =>
  (out, grid, cell) =>
    out.whole(grid.figure(cell, figure));

const ADDERS: Record<SumColumn, Add> = {
  aufrufe: count(CALLS),
  fehler: count(FAILURES),
  unbepreist: count(UNPRICED),
  geschaetzt: count(ESTIMATED),
  token: (out, grid, cell) => out.whole(BigInt(grid.figure(cell, INPUT)) + BigInt(grid.figure(cell, OUTPUT))),
  kosten_eur: (out, grid, cell) => out.scaled(grid.figure(cell, EUR) as bigint, EUR_SCALE),
  latenz: (out, grid, cell) => addHistogram(out, grid, cell, 0),
  erste_zeichen: (out, grid, cell) => addHistogram(out, grid, cell, 1),
};

/** The columns of a table of sums, as a statement takes them. */
export interface SumColumns {
  /** Names of the periods, which the rows name by their place, from 1. */
  periods: string[];
  /** Mandant, dimension, period, `merkmal_id`, then each of the sums: its type and its array. */
  columns: { type: ElementType; array: Buffer }[];
}

/** Sums of several Mandanten as columns. */
export function sumColumns(parts: readonly NumberedGrid[]): SumColumns {
  const periods: string[] = [];
  const mandant = new BinaryArray('int');
  const dimension = new BinaryArray('smallint');
  const period = new BinaryArray('int');
  const merkmal = new BinaryArray('int');
  for (const { mandant: place, grid, dimensions, ids } of parts) {
    const first = periods.length + 1;
    periods.push(...grid.periods);
    for (let cell = 0; cell < grid.cells; cell += 1) {
      const value = grid.valueOf[cell] as number;
      mandant.whole(place);
      dimension.whole(dimensions[value] as number);
      period.whole(first + (grid.periodOf[cell] as number));
      merkmal.whole(ids[value] as number);
    }
  }
  const sums = SUM_COLUMNS.map(({ name, type }) => {
    const add = ADDERS[name];
    const out = new BinaryArray(type);
    for (const { grid } of parts) for (let cell = 0; cell < grid.cells; cell += 1) add(out, grid, cell);
    return { type, array: out.finish() };
  });
  return {
    periods,
    columns: [
      { type: 'int', array: mandant.finish() },
      { type: 'smallint', array: dimension.finish() },
      { type: 'int', array: period.finish() },
      { type: 'int', array: merkmal.finish() },
      ...sums,
    ],
  };
}
