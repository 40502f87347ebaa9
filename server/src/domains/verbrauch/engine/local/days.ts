/**
 * Days of large pieces, added up by each dimension alone and by hour: what one of these is asked for, by days or together, does not grow with
 * the calls then. A day of a piece is read from there where all of its hours are asked for.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName, isOwnDimension } from '#contracts/rollup.ts';
import { isWide } from '../../pieces/columns.ts';
import type { SumsQuestion } from '../question.ts';
import { ALL_SUMMANDS, columnsIn, type LocalTable, SUMMANDS } from './tables.ts';
import type { UnpackedPiece } from './unpacked-pieces.ts';

/** A local day of a piece: minutes since 1970 at which its first and its last hour with calls begin. */
export interface HeldDay {
  tag: number;
  von: number;
  bis: number;
}

/** What of the pieces of a window is not read from days that are added up. */
export interface AskedDays {
  /** Whether any of it is. */
  any: boolean;
  /** Pieces without such days. */
  small: readonly number[];
  /** Days that are asked for in part. */
  cut: readonly (readonly [stueck: number, tag: number])[];
}

/** Number of the dimension that is none: all calls together. */
const ALL = 0;
/** … and of the one whose values are the hours. */
const HOURS = -1;
/** Half of what a sum has room for. */
const MOST = 2 ** 62;

/** Whether no sum of its rows is beyond 64 bits. */
export function fitInSums({ rufe, besonders }: UnpackedPiece['rows']): boolean {
  for (const name of ALL_SUMMANDS) {
    const values = rufe.columns.get(name) ?? besonders.columns.get(name);
    if (!values || !isWide(name)) continue;
    let most = 0;
    for (const value of values) most += Math.abs(value);
    if (most > MOST) return false;
  }
  return true;
}

/** What a day is divided by. */
type DayPart = DimensionName | 'stunde';
const PARTS: readonly DayPart[] = [...DIMENSION_NAMES, 'stunde'];

/** The number of a dimension or of hours in rows of days, whose `merkmal` is its value. */
export const numberOfDays = (part: DayPart | null): number =>
  part === null ? ALL : part === 'stunde' ? HOURS : DIMENSIONS[part].number;

/** Groups by day alone and by day and each part, and which of them a row is of. */
const SETS = `GROUPING SETS ((tag), ${PARTS.map((name) => `(tag, ${name})`).join(', ')})`;
const SET_OF = `CASE ${PARTS.map((name) => `WHEN GROUPING(${name}) = 0 THEN ${numberOfDays(name)}`).join(' ')} ELSE ${ALL} END`;
const VALUE_OF = `coalesce(${PARTS.join(', ')}, 0)`;

/** Adds up the days of a piece that has been written; `spalten` says which columns it has. */
export async function addUpDays(
  connection: DuckDBConnection,
  mandant: number,
  { stueck, spalten }: { stueck: number; spalten: bigint },
): Promise<HeldDay[]> {
  const present = columnsIn(spalten);
  const rows = (table: LocalTable) => `FROM ${table} WHERE mandant = ${mandant} AND stueck = ${stueck}`;
  const sumsOf = (table: LocalTable) => {
    const sums = SUMMANDS[table].map(
      (name) => `${present.has(name) ? `sum(${name})::BIGINT` : '0'} AS ${name}`,
    );
    return `SELECT tag, ${SET_OF} AS dimension, ${VALUE_OF} AS merkmal, ${sums.join(', ')} ${rows(table)} GROUP BY ${SETS}`;
  };
  const days = `SELECT tag, min(stunde) AS von, max(stunde) AS bis ${rows('rufe')} GROUP BY tag`;
  const special = SUMMANDS.besonders.map((name) => `coalesce(b.${name}, 0)`);
  await connection.run(`INSERT INTO tage
    SELECT ${mandant}, ${stueck}, d.tag, d.von, d.bis, r.dimension, r.merkmal, ${[...SUMMANDS.rufe.map((name) => `r.${name}`), ...special].join(', ')}
    FROM (${sumsOf('rufe')}) r JOIN (${days}) d USING (tag) LEFT JOIN (${sumsOf('besonders')}) b USING (tag, dimension, merkmal)
    ORDER BY r.dimension`);
  return (await (await connection.run(days)).getRowObjects()) as unknown as HeldDay[];
}

/** By the number of the piece, those that are there. */
export async function readDays(connection: DuckDBConnection): Promise<Map<number, HeldDay[]>> {
  const result = await connection.run(`SELECT stueck, tag, von, bis FROM tage WHERE dimension = ${ALL}`);
  const rows = (await result.getRowObjects()) as unknown as (HeldDay & { stueck: number })[];
  return Map.groupBy(rows, ({ stueck }) => stueck);
}

/** What of the days of pieces a window has. */
export function daysIn(
  pieces: Iterable<{ stueck: number; von: number; bis: number; tage: readonly HeldDay[] }>,
  window: { von: number; bis: number },
): AskedDays {
  const small: number[] = [];
  const cut: [number, number][] = [];
  let any = false;
  for (const { stueck, tage, ...hours } of pieces) {
    if (hours.von >= window.bis || hours.bis <= window.von) continue;
    if (tage.length > 0) any = true;
    else small.push(stueck);
    for (const { tag, von, bis } of tage) {
      const isWhole = von >= window.von && bis < window.bis;
      if (!isWhole && bis >= window.von && von < window.bis) cut.push([stueck, tag]);
    }
  }
  return { any, small, cut };
}

/** The one dimension or the hours that a question is about, null where it is about days alone; undefined where days do not tell apart what it asks. */
export function partOfDays({
  by,
  filters,
}: Pick<SumsQuestion, 'by' | 'filters'>): DayPart | null | undefined {
  const named = [...by, ...filters.map(({ dimension }) => dimension)].filter((name) => name !== 'tag');
  const [name = null, ...others] = new Set(named);
  if (others.length > 0 || name === 'minute') return undefined;
  return name !== null && name !== 'stunde' && isOwnDimension(name) ? undefined : name;
}
