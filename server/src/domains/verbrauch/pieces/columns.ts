/**
 * The columns of a piece of counted calls. A row is what one call added to the sums, or what a change of it adds: a difference
 * holds nothing else. All are whole numbers with a sign, below 2^53.
 */
import {
  type DimensionName,
  FIGURE_NAMES,
  FIGURES,
  type FigureName,
  type OwnDimensionName,
} from '#contracts/rollup.ts';
import { EUR_SCALE, USD_SCALE } from '#kernel/money.ts';
import type { HISTOGRAMS } from '../rollup.ts';

export type CountName = {
  [Name in FigureName]: (typeof FIGURES)[Name]['kind'] extends 'count' | 'tokens' ? Name : never;
}[FigureName];
export type AmountName = Exclude<FigureName, CountName>;

const isAmount = (name: FigureName): name is AmountName =>
  FIGURES[name].kind === 'usd' || FIGURES[name].kind === 'eur';
export const AMOUNT_NAMES: readonly AmountName[] = FIGURE_NAMES.filter(isAmount);
export const COUNT_NAMES = FIGURE_NAMES.filter((name) => !isAmount(name)) as CountName[];

/** Days since 1970 of the local day; minutes since 1970 of the instant its local hour begins, and of the call. */
export type TimeColumn = 'tag' | 'stunde' | 'minute';
/** The step of the histogram that the call is in, from 1; 0 is none. */
export type StepColumn = (typeof HISTOGRAMS)[number];

/** Numbers in stored pieces, never given twice. A dimension holds the number of its value (`merkmal_id`), one of the Mandant's own 0 for none. */
const NUMBERS = {
  tag: 1,
  stunde: 2,
  minute: 3,
  latenz: 4,
  erste_zeichen: 5,
  agent: 11,
  projekt: 12,
  endkunde: 13,
  anbieter: 14,
  modell: 15,
  funktion: 16,
  benutzer: 17,
  merkmal_1: 21,
  merkmal_2: 22,
  merkmal_3: 23,
  merkmal_4: 24,
  merkmal_5: 25,
  aufrufe: 31,
  fehler: 32,
  unbepreist: 33,
  teilbepreist: 34,
  geschaetzt: 35,
  eingabe_token: 36,
  ausgabe_token: 37,
  cache_lese_token: 38,
  cache_schreib_token: 39,
  denk_token: 40,
  eingabe_ohne_cache: 41,
  ausgabe_gesamt: 42,
  aufgeteilt: 43,
} as const satisfies Record<TimeColumn | StepColumn | DimensionName | OwnDimensionName | CountName, number>;

/** The first of an amount's numbers: its limbs follow. */
const AMOUNT_NUMBERS = {
  kosten_usd: 61,
  kosten_eur: 65,
  geschaetzt_eur: 69,
  ersatz_eur: 73,
  verbranntes_geld_eur: 77,
} as const satisfies Record<AmountName, number>;

/** An amount is the sum of its limbs, each of the amount's sign, in units of 10^`LIMB_EXPONENTS` of the currency. */
export const LIMB_EXPONENTS = [3, -12, -24, -34] as const;

/** The scale of an amount: its smallest unit is 10^-scale of the currency. */
export const scaleOf = (name: AmountName): number => (FIGURES[name].kind === 'usd' ? USD_SCALE : EUR_SCALE);

/** How many limbs an amount has: none of them is finer than its smallest unit. */
export const limbsOf = (name: AmountName): number =>
  LIMB_EXPONENTS.filter((exponent) => -exponent <= scaleOf(name)).length;

export type LimbColumn = `${AmountName}_${0 | 1 | 2 | 3}`;
export type PieceColumn = keyof typeof NUMBERS | LimbColumn;

const LIMB_NUMBERS = AMOUNT_NAMES.flatMap((name) =>
  Array.from({ length: limbsOf(name) }, (_, limb): [LimbColumn, number] => [
    `${name}_${limb}` as LimbColumn,
    AMOUNT_NUMBERS[name] + limb,
  ]),
);

/** Every column with its number. */
export const COLUMN_NUMBERS: ReadonlyMap<PieceColumn, number> = new Map<PieceColumn, number>([
  ...(Object.entries(NUMBERS) as [keyof typeof NUMBERS, number][]),
  ...LIMB_NUMBERS,
]);

/** Whether its values add up, and have no other meaning. */
export const isFigure = (column: PieceColumn): boolean =>
  (COLUMN_NUMBERS.get(column) as number) >= NUMBERS.aufrufe;

/** Tokens and limbs have 64 bits, all others 32. */
export const isWide = (column: PieceColumn): boolean =>
  column.includes('token') ||
  column === 'eingabe_ohne_cache' ||
  column === 'ausgabe_gesamt' ||
  LIMB_NUMBERS.some(([name]) => name === column);
