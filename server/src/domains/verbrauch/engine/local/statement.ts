/** A question as SQL on the local copy. Every reading of its tables is made by `ofPieces`, which binds it to one Mandant. */
import type { DimensionName, FigureName } from '#contracts/rollup.ts';
import type { PieceColumn } from '../../pieces/columns.ts';
import { type Grouping, RANKED, type SumsQuestion } from '../question.ts';
import { type AskedDays, dimensionOf, numberOfDays } from './days.ts';
import { keptFrom } from './kept-rows.ts';
import { aboutCost, placesOf } from './order.ts';
import { ADDENDS, type LocalTable, SUMMANDS } from './tables.ts';

/** Whose pieces are asked. */
export interface AskedPieces {
  /** The number of the Mandant in the local copy. */
  mandant: number;
  /** Pieces of the Mandant with calls of the window which are not asked about. */
  left: readonly number[];
  /** The last piece that was there when these were looked up: what is written meanwhile is not asked about either. */
  newest: number;
  /** Columns that are not 0 throughout. */
  present: ReadonlySet<PieceColumn>;
  /** Of these pieces those whose days are added up. */
  days: AskedDays;
  /** The number of rows that are asked about and not in the tables yet (`KeptRows`); null where there are none. */
  kept: number | null;
  /** Groups that alone are asked about, by their keys. */
  chosen?: readonly (readonly number[])[];
}

/** Figures that are added up: what the order follows from in any case. */
export const summedFigures = ({ figures }: SumsQuestion): readonly FigureName[] => [
  ...new Set([...RANKED, ...figures]),
];

/** The columns that are added up for a question. */
function summands(
  question: SumsQuestion,
  present: ReadonlySet<PieceColumn>,
): Record<LocalTable, PieceColumn[]> {
  const wanted = new Set(
    summedFigures(question).flatMap((name) => ADDENDS[name].map(({ column }) => column)),
  );
  const of = (table: LocalTable) =>
    SUMMANDS[table].filter((column) => wanted.has(column) && (present.has(column) || column === 'aufrufe'));
  return { rufe: of('rufe'), besonders: of('besonders') };
}

const keyNames = ({ by }: SumsQuestion) => by.map((_, index) => `k${index}`);

/** JOIN that leaves the calls of these groups: a list of them as a condition is looked through for each call. */
function inGroups(by: readonly Grouping[], chosen: AskedPieces['chosen']): string {
  if (!chosen || chosen.length === 0) return '';
  const groups = chosen.map((keys) => `(${keys.join(', ')})`).join(', ');
  const columns = by.map((_, index) => `g${index}`);
  return `JOIN (VALUES ${groups}) chosen (${columns.join(', ')}) ON ${by.map((name, index) => `${name} = g${index}`).join(' AND ')}`;
}

/** Which rows of a table: of one Mandant, the pieces asked about. */
const ofPieces = ({ mandant, left, newest }: AskedPieces): string[] => [
  `mandant = ${mandant}`,
  `stueck <= ${newest}`,
  ...(left.length > 0 ? [`stueck NOT IN (${left.join(', ')})`] : []),
];

const inHours = ({ von, bis }: SumsQuestion): string[] => [`stunde >= ${von}`, `stunde < ${bis}`];

/** The same, and the window. */
const inWindow = (question: SumsQuestion, pieces: AskedPieces): string[] => [
  ...ofPieces(pieces),
  ...inHours(question),
];

/** Which of these rows: of `besonders` those alone that say anything, where one figure of it is asked for. */
const isWanted = (
  table: LocalTable,
  columns: readonly PieceColumn[],
  { filters }: SumsQuestion,
  { chosen }: AskedPieces,
): string[] => [
  ...(table === 'besonders' && columns.length === 1 ? [`${columns[0]} <> 0`] : []),
  ...filters.map(({ dimension, merkmale }) =>
    merkmale.length > 0 ? `${dimension} IN (${merkmale.join(', ')})` : 'false',
  ),
  ...(chosen?.length === 0 ? ['false'] : []),
];

/** SELECT of what days that are added up have, and of the rows of all else. */
function ofDays(
  name: DimensionName | null,
  table: LocalTable,
  columns: readonly string[],
  question: SumsQuestion,
  pieces: AskedPieces,
): string[] {
  const { days } = pieces;
  const wholeDays = [
    ...ofPieces(pieces),
    `dimension = ${numberOfDays(name)}`,
    `von >= ${question.von}`,
    `bis < ${question.bis}`,
  ];
  const named = columns.map((column) => (column === name ? `merkmal AS ${name}` : column));
  // Pieces are named one by one, so that all others are left out before they are read.
  const rowsOf = (stuecke: readonly number[], ...conditions: string[]) =>
    `SELECT ${columns.join(', ')} FROM ${table}
      WHERE ${[...inWindow(question, pieces), `stueck IN (${stuecke.join(', ')})`, ...conditions].join(' AND ')}`;
  const parts = [`SELECT ${named.join(', ')} FROM tage WHERE ${wholeDays.join(' AND ')}`];
  if (days.small.length > 0) parts.push(rowsOf(days.small));
  if (days.cut.length > 0) {
    const pairs = days.cut.map((pair) => `(${pair.join(', ')})`);
    parts.push(
      rowsOf(
        [...new Set(days.cut.map(([stueck]) => stueck))],
        `(stueck, tag) IN (VALUES ${pairs.join(', ')})`,
      ),
    );
  }
  return parts;
}

/** FROM days that are added up where there are any, and from the rows of all else, those among them that are not in the tables yet. */
function from(
  table: LocalTable,
  summed: readonly PieceColumn[],
  question: SumsQuestion,
  pieces: AskedPieces,
): string {
  const name = dimensionOf(question);
  const filtered = question.filters.map(({ dimension }) => dimension);
  const columns = [...new Set([...question.by, ...filtered, ...summed])];
  const selected = `SELECT ${columns.join(', ')}`;
  const parts =
    name === undefined || !pieces.days.any
      ? [`${selected} FROM ${table} WHERE ${inWindow(question, pieces).join(' AND ')}`]
      : ofDays(name, table, columns, question, pieces);
  if (pieces.kept !== null)
    parts.push(`${selected} ${keptFrom(pieces.kept, table)} WHERE ${inHours(question).join(' AND ')}`);
  const conditions = isWanted(table, summed, question, pieces);
  return `FROM (${parts.join(' UNION ALL ')}) ${inGroups(question.by, pieces.chosen)} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}`;
}

/** Sums of a table's columns by the groups. */
function sumsBy(
  table: LocalTable,
  columns: readonly PieceColumn[],
  question: SumsQuestion,
  asked: AskedPieces,
): string {
  const names = keyNames(question);
  const keys = question.by.map((column, index) => `${column} AS ${names[index]}`);
  const sums = columns.map((column) => `coalesce(sum(${column}), 0) AS ${column}`);
  const grouped = names.length > 0 ? `GROUP BY ${names.map((_, index) => index + 1).join(', ')}` : '';
  return `SELECT ${[...keys, ...sums].join(', ')} ${from(table, columns, question, asked)} ${grouped}`;
}

/** The groups, each with its sums and about what it costs. */
function groups(
  question: SumsQuestion,
  asked: AskedPieces,
  columns: Record<LocalTable, PieceColumn[]>,
): string {
  const keys = keyNames(question);
  const special = columns.besonders;
  const joined = `LEFT JOIN (${sumsBy('besonders', special, question, asked)}) b USING (${keys.join(', ')})`;
  const unpriced = special.includes('unbepreist') ? 'coalesce(b.unbepreist, 0)' : '0';
  const sums = [...columns.rufe, ...special.map((name) => `coalesce(b.${name}, 0) AS ${name}`)];
  return `SELECT ${[...keys, ...sums, ...aboutCost(`r.aufrufe = ${unpriced}`, asked.present)].join(', ')}
    FROM (${sumsBy('rufe', columns.rufe, question, asked)}) r ${special.length > 0 ? joined : ''}`;
}

/** Columns before the keys and the sums: 0 for a group and 1 for the total, which has how many groups there are and how many at `from` or behind it. */
const HEAD = 3;
/** Groups that are answered at most, those that cost the same among them: each is an object in two processes. */
export const MOST_GROUPS = 100_000;

/** SQL, and which columns of its rows are what. */
export interface Statement {
  text: string;
  head: number;
  keys: number;
  sums: readonly PieceColumn[];
}

/** All calls of the question together. */
export function totalStatement(question: SumsQuestion, asked: AskedPieces): Statement {
  const { rufe, besonders } = summands(question, asked.present);
  const all = { ...question, by: [] };
  const special = besonders.length > 0 ? `CROSS JOIN (${sumsBy('besonders', besonders, all, asked)}) b` : '';
  const text = `SELECT * FROM (${sumsBy('rufe', rufe, all, asked)}) r ${special}`;
  return { text, head: 0, keys: 0, sums: [...rufe, ...besonders] };
}

/** The figures of the groups that were chosen. */
export function figuresStatement(question: SumsQuestion, asked: AskedPieces): Statement {
  const columns = summands(question, asked.present);
  const sums = [...columns.rufe, ...columns.besonders];
  const keys = keyNames(question);
  const text = `SELECT ${[...keys, ...sums].join(', ')} FROM (${groups(question, asked, columns)}) g`;
  return { text, head: 0, keys: keys.length, sums };
}

/** What is answered of the groups of a page: all figures, or which they are and how many there are alone. */
type PageOf = 'figures' | 'keys';

/**
 * Groups that can be on the page, and the total. Nothing is put in order: only about where the last one of the page stands is looked for,
 * and what may stand there or before it is answered.
 */
export function pageStatement(question: SumsQuestion, asked: AskedPieces, of: PageOf = 'figures'): Statement {
  const columns = summands(of === 'keys' ? { ...question, figures: RANKED } : question, asked.present);
  const sums = of === 'keys' ? [] : [...columns.rufe, ...columns.besonders];
  const keys = keyNames(question);
  const { atFrom, behind, end, untilEnd } = placesOf(question);
  const text = `WITH g AS MATERIALIZED (${groups(question, asked, columns)}),
      e AS MATERIALIZED (${end('g', `aufrufe > 0 AND ${behind}`)})
    (SELECT 0 AS kind, 0::BIGINT AS groups, 0::BIGINT AS behind, ${[...keys, ...sums].join(', ')}
    FROM g CROSS JOIN e WHERE aufrufe > 0 AND (${atFrom} OR (${behind} AND ${untilEnd})) LIMIT ${MOST_GROUPS + 1})
    UNION ALL SELECT 1, count(*) FILTER (WHERE aufrufe > 0), count(*) FILTER (WHERE aufrufe > 0 AND (${atFrom} OR ${behind})),
      ${[...keys.map(() => 'NULL'), ...sums.map((name) => `coalesce(sum(${name}), 0)`)].join(', ')} FROM g`;
  return { text, head: HEAD, keys: keys.length, sums };
}
