/**
 * Sums of several calls as rows of a piece. A row counts in one step of each histogram, with all of its calls: sums have a row for each
 * step that their calls are in, and their figures in the first of them.
 */
import type { AnyDimensionName, FigureName } from '#contracts/rollup.ts';
import { HISTOGRAMS, STEP_DIGITS } from '../rollup.ts';
import { AMOUNT_NAMES, COUNT_NAMES, type CountName, isWide } from './columns.ts';
import type { PieceRows } from './piece-rows.ts';

/** Of a count that is not wide, what a row holds: half of 31 bits, so that the difference of two of them has room, too. */
const MOST = 2n ** 30n - 1n;
const MOST_WIDE = BigInt(Number.MAX_SAFE_INTEGER);

/** Which calls they are of. */
export interface SumsKey {
  /** Days since 1970. */
  tag: number;
  /** Minutes since 1970 of the instant the local hour begins. */
  stunde: number;
  values: readonly (readonly [AnyDimensionName, number])[];
}

/** Figures in their smallest unit; calls by step of each histogram, from 0, where that is known. */
export interface CallSums {
  figures: Record<FigureName, bigint>;
  histograms?: Record<(typeof HISTOGRAMS)[number], bigint>;
}

/** Whole numbers of its sign that add up to a value, none of them more than `most`. */
function portionsOf(value: bigint, most: bigint): bigint[] {
  const portions: bigint[] = [];
  for (let rest = value; rest !== 0n; ) {
    const portion = rest > most ? most : rest < -most ? -most : rest;
    portions.push(portion);
    rest -= portion;
  }
  return portions;
}

interface StepCalls {
  step: number;
  calls: bigint;
}

/** The steps of a histogram that has calls in them, as columns of pieces number them: from 1. */
function stepsOf(histogram: bigint): StepCalls[] {
  const base = 10n ** BigInt(STEP_DIGITS);
  const steps: StepCalls[] = [];
  for (let rest = histogram, step = 1; rest > 0n; rest /= base, step += 1)
    if (rest % base > 0n) steps.push({ step, calls: rest % base });
  return steps;
}

interface CrossedCalls {
  steps: readonly number[];
  calls: bigint;
}

/** The calls that are left in the first of these steps. */
const firstCalls = ([first]: readonly StepCalls[]): bigint => first?.calls ?? 0n;

/** Takes calls out of the first of these steps. */
function take(steps: StepCalls[], calls: bigint): void {
  const [first] = steps;
  if (!first) return;
  first.calls -= calls;
  if (first.calls === 0n) steps.shift();
}

/** Rows with steps of two histograms which add up to each of them, few rather than many: which belong together is not known. */
function crossed(first: StepCalls[], second: StepCalls[]): CrossedCalls[] {
  const rows: CrossedCalls[] = [];
  while (first.length > 0 || second.length > 0) {
    const [one, other] = [firstCalls(first), firstCalls(second)];
    const calls = second.length === 0 || (first.length > 0 && one < other) ? one : other;
    rows.push({ steps: [first[0]?.step ?? 0, second[0]?.step ?? 0], calls });
    take(first, calls);
    take(second, calls);
  }
  return rows;
}

/** As many calls as there are, by the steps they are in. */
function callsBySteps({ figures, histograms }: CallSums): CrossedCalls[] {
  const rows = histograms ? crossed(stepsOf(histograms.latenz), stepsOf(histograms.erste_zeichen)) : [];
  const rest = rows.reduce((left, { calls }) => left - calls, figures.aufrufe);
  return [...rows, { steps: [0, 0], calls: rest }].flatMap(({ steps, calls }) =>
    portionsOf(calls, MOST).map((portion) => ({ steps, calls: portion })),
  );
}

/** Counts that no row so far has; the first portion of each is for the first row. */
function otherCounts({ figures }: CallSums, rows: readonly CrossedCalls[]): [CountName, bigint[]][] {
  // Calls whose tokens are divided are all, as a rule: with a row's calls they stand in the row.
  const divided = rows.slice(1).reduce((left, { calls }) => left - calls, figures.aufgeteilt);
  return COUNT_NAMES.filter((name) => name !== 'aufrufe').map((name) => [
    name,
    portionsOf(name === 'aufgeteilt' ? divided : figures[name], isWide(name) ? MOST_WIDE : MOST),
  ]);
}

/** Adds the rows of sums of calls. */
export function addSums(out: PieceRows, { tag, stunde, values }: SumsKey, sums: CallSums): void {
  const begin = () => {
    out.add();
    out.set('tag', tag);
    out.set('stunde', stunde);
    out.set('minute', stunde);
    for (const [name, value] of values) out.set(name, value);
  };
  const rows = callsBySteps(sums);
  const counts = otherCounts(sums, rows);
  begin();
  for (const name of AMOUNT_NAMES) out.setAmount(name, sums.figures[name]);
  for (const [name, [portion = 0n]] of counts) out.set(name, Number(portion));
  for (const [index, { steps, calls }] of rows.entries()) {
    if (index > 0) {
      begin();
      out.set('aufgeteilt', Number(calls));
    }
    out.set('aufrufe', Number(calls));
    for (const [histogram, step] of steps.entries())
      out.set(HISTOGRAMS[histogram] as (typeof HISTOGRAMS)[number], step);
  }
  for (const [name, portions] of counts)
    for (const portion of portions.slice(1)) {
      begin();
      out.set(name, Number(portion));
    }
}
