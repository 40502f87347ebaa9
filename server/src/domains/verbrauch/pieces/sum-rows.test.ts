import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIGURE_NAMES, type FigureName } from '#contracts';
import { HISTOGRAMS, STEP_DIGITS, STEPS } from '../rollup.ts';
import {
  AMOUNT_NAMES,
  COUNT_NAMES,
  isWide,
  LIMB_EXPONENTS,
  type LimbColumn,
  limbsOf,
  type PieceColumn,
  scaleOf,
} from './columns.ts';
import { unpackPiece } from './packed-columns.ts';
import { PieceRows } from './piece-rows.ts';
import { addSums, type CallSums } from './sum-rows.ts';

const WORTH = 10n ** BigInt(STEP_DIGITS);
const EDGES = [0n, 1n, 2n ** 30n - 1n, 2n ** 30n, 2n ** 31n, 2n ** 32n + 7n];

const count = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.constantFrom(...EDGES));
const tokens = fc.oneof(count, fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 3n * 2n ** 53n + 1n));
const amount = fc.oneof(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.constant(0n));
const steps = fc.uniqueArray(fc.tuple(fc.nat(STEPS - 1), count), {
  selector: ([step]) => step,
  maxLength: 5,
});
const histogramOf = (calls: [number, bigint][]) =>
  calls.reduce((sum, [step, n]) => sum + n * WORTH ** BigInt(step), 0n);

const sums: fc.Arbitrary<CallSums> = fc
  .record({
    counts: fc.tuple(...COUNT_NAMES.map((name) => (isWide(name) ? tokens : count))),
    amounts: fc.array(amount, { minLength: AMOUNT_NAMES.length, maxLength: AMOUNT_NAMES.length }),
    histograms: fc.option(fc.tuple(steps, steps), { nil: undefined }),
  })
  .map(({ counts, amounts, histograms }) => ({
    figures: Object.fromEntries([
      ...COUNT_NAMES.map((name, index) => [name, counts[index]]),
      ...AMOUNT_NAMES.map((name, index) => [name, amounts[index]]),
    ]) as CallSums['figures'],
    ...(histograms && {
      histograms: { latenz: histogramOf(histograms[0]), erste_zeichen: histogramOf(histograms[1]) },
    }),
  }));

/** What the rows of a piece add up to, as the engine adds them up: a row counts in its steps with all of its calls. */
function addedUp(piece: Buffer) {
  const { count: rows, columns } = unpackPiece(piece);
  const at = (name: PieceColumn, row: number) => BigInt(columns.get(name)?.[row] ?? 0);
  const sum = (read: (row: number) => bigint) =>
    Array.from({ length: rows }, (_, row) => read(row)).reduce((all, value) => all + value, 0n);
  const amountOf = (name: (typeof AMOUNT_NAMES)[number]) =>
    LIMB_EXPONENTS.slice(0, limbsOf(name)).reduce(
      (all, exponent, limb) =>
        all +
        sum((row) => at(`${name}_${limb}` as LimbColumn, row)) * 10n ** BigInt(scaleOf(name) + exponent),
      0n,
    );
  return {
    figures: Object.fromEntries([
      ...COUNT_NAMES.map((name) => [name, sum((row) => at(name, row))]),
      ...AMOUNT_NAMES.map((name) => [name, amountOf(name)]),
    ]) as Record<FigureName, bigint>,
    histograms: Object.fromEntries(
      HISTOGRAMS.map((name) => [
        name,
        sum((row) => (at(name, row) > 0n ? at('aufrufe', row) * WORTH ** (at(name, row) - 1n) : 0n)),
      ]),
    ),
  };
}

test('rows add up to the sums they are made of, and each finds room in its columns', () => {
  fc.assert(
    fc.property(sums, fc.array(sums, { maxLength: 3 }), (first, more) => {
      const out = new PieceRows();
      const all = [first, ...more];
      for (const each of all) addSums(out, { tag: 1, stunde: 1_500, values: [['modell', 7]] }, each);
      const whole = (read: (each: CallSums) => bigint | undefined) =>
        all.reduce((left, each) => left + (read(each) ?? 0n), 0n);
      expect(addedUp(out.pack([], {}))).toEqual({
        figures: Object.fromEntries(FIGURE_NAMES.map((name) => [name, whole((each) => each.figures[name])])),
        histograms: Object.fromEntries(
          HISTOGRAMS.map((name) => [name, whole((each) => each.histograms?.[name])]),
        ),
      });
    }),
  );
});

test('one call is one row, as it was counted; many have no more rows than steps', () => {
  const of = (aufrufe: bigint, latenz: bigint, erste_zeichen: bigint) => {
    const figures = Object.fromEntries(FIGURE_NAMES.map((name) => [name, 0n])) as CallSums['figures'];
    const out = new PieceRows();
    addSums(
      out,
      { tag: 1, stunde: 1_500, values: [['agent', 3]] },
      { figures: { ...figures, aufrufe, aufgeteilt: aufrufe }, histograms: { latenz, erste_zeichen } },
    );
    return Object.fromEntries(
      [...unpackPiece(out.pack([], {})).columns].map(([name, values]) => [name, [...values]]),
    );
  };
  const key = { tag: [1], stunde: [1_500], minute: [1_500], agent: [3] };
  expect(of(1n, WORTH ** 4n, 1n)).toEqual({
    ...key,
    ...{ aufrufe: [1], aufgeteilt: [1], latenz: [5], erste_zeichen: [1] },
  });
  expect(of(10n, 3n * WORTH + 4n * WORTH ** 2n, 5n)).toMatchObject({
    ...{ aufrufe: [3, 2, 2, 3], aufgeteilt: [3, 2, 2, 3] },
    ...{ latenz: [2, 3, 3, 0], erste_zeichen: [1, 1, 0, 0] },
  });
});
