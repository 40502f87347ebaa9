/** Sums of several Mandanten as the columns of one statement. */

import { type Grain, HISTOGRAMS, STEP_DIGITS, SUM_COLUMNS } from '#domains/verbrauch/index.ts';
import { EUR_SCALE, USD_SCALE } from '#kernel/money.ts';
import { COUNT_NAMES, isInEur, MONEY_NAMES } from './figures.ts';
import type { Grid, StepRange } from './grid.ts';

const USD_EXPONENT = `e-${USD_SCALE}`;
const EUR_EXPONENT = `e-${EUR_SCALE}`;
/** An amount as PostgreSQL reads it; exact, and faster than a plain decimal. */
const scaledText = (amount: bigint, exponent: string) => (amount === 0n ? '0' : `${amount}${exponent}`);

/** The sums of one Mandant by one period, with the numbers of its values. */
export interface NumberedGrid {
  /** Place of the Mandant in the statement's list, from 1. */
  mandant: number;
  grid: Grid;
  dimensions: readonly number[];
  /** `merkmal_id` by value. */
  ids: Int32Array;
}

/** Values of a column as PostgreSQL writes an array; for what needs no quotes. */
export const arrayText = (values: readonly (string | number | bigint)[]): string => `{${values.join(',')}}`;

/** A histogram in one number: `STEP_DIGITS` decimal digits a step, the first step last. */
export function histogramText(steps: ArrayLike<number>, [low, high]: StepRange): string {
  if (low > high) return '0';
  let digits = String(steps[high]);
  for (let step = high - 1; step >= low; step -= 1) digits += String(steps[step]).padStart(STEP_DIGITS, '0');
  return `${digits}e${STEP_DIGITS * low}`;
}

const READERS: Record<string, (grid: Grid, cell: number) => string | number | bigint> = Object.fromEntries([
  ...COUNT_NAMES.map((name, index) => [name, (grid: Grid, cell: number) => grid.count(cell, index)]),
  ...MONEY_NAMES.map((name, which) => [
    name,
    (grid: Grid, cell: number) =>
      scaledText(grid.money(cell, which), isInEur(name) ? EUR_EXPONENT : USD_EXPONENT),
  ]),
  ...HISTOGRAMS.map((name, which) => [
    name,
    (grid: Grid, cell: number) => histogramText(grid.steps(cell, which), grid.stepRange(cell, which)),
  ]),
]);

/**
 * Arrays in PostgreSQL's text form: the periods, then Mandant, dimension, period (places from 1), merkmal_id of each row, then
 * each of `SUM_COLUMNS`.
 */
export function sumColumns(parts: readonly NumberedGrid[]): string[] {
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
  const addends = SUM_COLUMNS.map(({ name }) => {
    const read = READERS[name];
    if (!read) throw new Error(`nothing is counted for ${name}`);
    const column: (string | number | bigint)[] = [];
    for (const { grid } of parts)
      for (let cell = 0; cell < grid.cells; cell += 1) column.push(read(grid, cell));
    return arrayText(column);
  });
  return [periods, mandant, dimension, period, merkmal].map(arrayText).concat(addends);
}

export type Grids = Record<Grain, Grid>;
