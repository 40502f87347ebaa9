/** Sums of several Mandanten as the columns of one statement. */

import { FIGURE_NAMES, FIGURES } from '#contracts';
import { type Grain, HISTOGRAMS, STEP_DIGITS, sumColumnsOf } from '#domains/verbrauch/index.ts';
import { EUR_SCALE, USD_SCALE } from '#kernel/money.ts';
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

/** Values of a column as PostgreSQL writes an array; for what needs no quotes, or is nothing. */
export const arrayText = (values: readonly (string | number | bigint | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/** Few calls of a step are the rule. */
const PADDED = Array.from({ length: 1_000 }, (_, count) => String(count).padStart(STEP_DIGITS, '0'));
const padded = (count: number) => PADDED[count] ?? String(count).padStart(STEP_DIGITS, '0');

/** A histogram in one number: `STEP_DIGITS` decimal digits a step, the first step last. */
export function histogramText(steps: ArrayLike<number>, [low, high]: StepRange): string {
  if (low > high) return '0';
  let digits = String(steps[high]);
  for (let step = high - 1; step >= low; step -= 1) digits += padded(steps[step] as number);
  return `${digits}e${STEP_DIGITS * low}`;
}

/** Amounts go in their smallest unit with an exponent: exact, and read faster than a plain decimal. */
const EXPONENTS = { count: '', tokens: '', usd: `e-${USD_SCALE}`, eur: `e-${EUR_SCALE}` };

type Reader = (grid: Grid, cell: number) => string | number | bigint;
const READERS: Record<string, Reader> = Object.fromEntries([
  ...FIGURE_NAMES.map((name, index): [string, Reader] => {
    const exponent = EXPONENTS[FIGURES[name].kind];
    if (exponent === '') return [name, (grid, cell) => grid.figure(cell, index)];
    return [
      name,
      (grid, cell) => {
        const amount = grid.figure(cell, index);
        return amount === 0n ? 0 : `${amount}${exponent}`;
      },
    ];
  }),
  ...HISTOGRAMS.map((name, which): [string, Reader] => [
    name,
    (grid, cell) => histogramText(grid.steps(cell, which), grid.stepRange(cell, which)),
  ]),
]);

/**
 * Arrays in PostgreSQL's text form: the periods, then Mandant, dimension, period (places from 1), merkmal_id of each row, then
 * each column of the sums.
 */
export function sumColumns(grain: Grain, parts: readonly NumberedGrid[]): string[] {
  const periods: string[] = [];
  const mandant: number[] = [];
  const dimension: number[] = [];
  const period: number[] = [];
  const merkmal: number[] = [];
  for (const { mandant: place, grid, dimensions, ids } of parts) {
    const first = periods.length + 1;
    periods.push(...grid.periods);
    for (let cell = 0; cell < grid.cells; cell += 1) {
      const value = grid.valueOf[cell] as number;
      mandant.push(place);
      dimension.push(dimensions[value] as number);
      period.push(first + (grid.periodOf[cell] as number));
      merkmal.push(ids[value] as number);
    }
  }
  const addends = sumColumnsOf(grain).map(({ name }) => {
    const read = READERS[name];
    if (!read) throw new Error(`nothing is counted for ${name}`);
    const column: (string | number | bigint)[] = [];
    for (const { grid } of parts)
      for (let cell = 0; cell < grid.cells; cell += 1) column.push(read(grid, cell));
    return arrayText(column);
  });
  return [periods, mandant, dimension, period, merkmal].map(arrayText).concat(addends);
}
