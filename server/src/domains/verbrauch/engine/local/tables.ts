/**
 * The tables of the local copy. `rufe` has every row of the pieces with what all calls have, `besonders` those once more that add to
 * anything else: of these there are few. `tage` has what the rows of both come to by day and value or hour, of large pieces.
 */
import { ANY_DIMENSION_NAMES, FIGURE_NAMES, FIGURES, type FigureName } from '#contracts/rollup.ts';
import { EUR_SCALE } from '#kernel/money.ts';
import {
  AMOUNT_NAMES,
  type AmountName,
  isWide,
  LIMB_EXPONENTS,
  type LimbColumn,
  limbsOf,
  type PieceColumn,
} from '../../pieces/columns.ts';

export type LocalTable = 'rufe' | 'besonders';

const limbs = (names: readonly AmountName[]): LimbColumn[] =>
  names.flatMap((name) =>
    Array.from({ length: limbsOf(name) }, (_, limb) => `${name}_${limb}` as LimbColumn),
  );

const ORDINARY_AMOUNTS: readonly AmountName[] = ['kosten_usd', 'kosten_eur'];
const ORDINARY_FIGURES = FIGURE_NAMES.filter(
  (name) => name === 'aufrufe' || FIGURES[name].kind === 'tokens',
) as PieceColumn[];
const SPECIAL_FIGURES = FIGURE_NAMES.filter(
  (name) => FIGURES[name].kind === 'count' && name !== 'aufrufe' && name !== 'aufgeteilt',
) as PieceColumn[];

/** What says which calls a row is about. */
const KEYS: readonly PieceColumn[] = ['tag', 'stunde', 'minute', ...ANY_DIMENSION_NAMES];

/** What adds up, by table. */
export const SUMMANDS: Record<LocalTable, readonly PieceColumn[]> = {
  rufe: [...ORDINARY_FIGURES, ...limbs(ORDINARY_AMOUNTS)],
  besonders: [...SPECIAL_FIGURES, ...limbs(AMOUNT_NAMES.filter((name) => !ORDINARY_AMOUNTS.includes(name)))],
};

/** All of it: what adds up by day and value, and what the number of a piece says that it has (`markOf`). */
export const ALL_SUMMANDS: readonly PieceColumn[] = [...SUMMANDS.rufe, ...SUMMANDS.besonders];

/** The columns of the tables that come from pieces, in their order. */
export const COLUMNS: Record<LocalTable, readonly PieceColumn[]> = {
  rufe: [...KEYS, ...SUMMANDS.rufe],
  besonders: [...KEYS, ...SUMMANDS.besonders],
};

const columnsOf = (table: LocalTable) =>
  [
    'mandant INTEGER',
    'stueck INTEGER',
    ...COLUMNS[table].map((name) => `${name} ${isWide(name) ? 'BIGINT' : 'INTEGER'}`),
  ]
    .map((column) => `${column} NOT NULL`)
    .join(', ');

/** The pieces that are in the tables, each with the hours of its calls and which columns it has. */
export const SCHEMA = `-- A file of another text is made again: this one has days by hour.
  CREATE TABLE rufe (${columnsOf('rufe')});
  CREATE TABLE besonders (${columnsOf('besonders')});
  CREATE TABLE tage (${['mandant', 'stueck', 'tag', 'von', 'bis', 'dimension', 'merkmal'].map((name) => `${name} INTEGER NOT NULL`).join(', ')},
    ${ALL_SUMMANDS.map((name) => `${name} BIGINT NOT NULL`).join(', ')});
  CREATE TABLE stuecke (stueck INTEGER NOT NULL, mandant INTEGER NOT NULL, mandant_id VARCHAR NOT NULL, marke VARCHAR NOT NULL,
    von INTEGER NOT NULL, bis INTEGER NOT NULL, anzahl INTEGER NOT NULL, spalten BIGINT NOT NULL);
  CREATE TABLE form (form VARCHAR NOT NULL);`;

/** How much of a column a figure is: amounts of either currency in 10^-34. */
export interface Addend {
  column: PieceColumn;
  factor: bigint;
}

function addendsOf(name: FigureName): Addend[] {
  // Tokens are divided of each call.
  if (name === 'aufgeteilt') return [{ column: 'aufrufe', factor: 1n }];
  if (!AMOUNT_NAMES.includes(name as AmountName)) return [{ column: name as PieceColumn, factor: 1n }];
  return limbs([name as AmountName]).map((column, limb) => ({
    column,
    factor: 10n ** BigInt(EUR_SCALE + (LIMB_EXPONENTS[limb] as number)),
  }));
}

export const ADDENDS = Object.fromEntries(FIGURE_NAMES.map((name) => [name, addendsOf(name)])) as Record<
  FigureName,
  Addend[]
>;

/** Those with anything but 0, as one number. */
export const markOf = (present: (column: PieceColumn) => boolean): bigint =>
  ALL_SUMMANDS.reduce((mark, column, bit) => (present(column) ? mark | (1n << BigInt(bit)) : mark), 0n);

/** The columns of a number, or of several put together. */
export const columnsIn = (mark: bigint): Set<PieceColumn> =>
  new Set(ALL_SUMMANDS.filter((_, bit) => (mark & (1n << BigInt(bit))) !== 0n));
