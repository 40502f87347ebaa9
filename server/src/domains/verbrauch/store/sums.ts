/** Rows of the sums that counting keeps: stretches of a window, all values of a dimension or some of them. */
import { type RawBuilder, sql } from 'kysely';
import { DIMENSIONS, type DimensionName, type FigureName } from '#contracts';
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { GRAINS, TOTAL } from '../rollup.ts';
import type { Stretch } from '../window.ts';

export type Part = RawBuilder<unknown>;

/** One value of one dimension; '' for calls without one. */
export interface Filter {
  dimension: DimensionName;
  value: string;
}

/**
 * For the rest of the transaction one process adds up: the planner cannot tell how many values several grains have together, and
 * would have helpers add up what one has to add up once more.
 */
export const addUpAlone = (tx: MandantTx) => sql`SET LOCAL max_parallel_workers_per_gather = 0`.execute(tx);

/** Whose sums: of a dimension (null is the total), of all its values or of those whose numbers the SQL array names. */
export interface Whose {
  dimension: DimensionName | null;
  merkmale: Part | null;
}

export const ofAll: Whose = { dimension: null, merkmale: sql`ARRAY[${sql.lit(TOTAL.merkmal)}]` };

export const allOf = (name: DimensionName): Whose => ({ dimension: name, merkmale: null });

/** Those values of a dimension that the part `chosen` of the statement names. */
export const ofChosen = (name: DimensionName): Whose => ({
  dimension: name,
  merkmale: sql`ARRAY(SELECT merkmal_id FROM chosen)`,
});

/** Those values of a dimension with these numbers. */
export const ofNumbers = (name: DimensionName, merkmale: number[]): Whose => ({
  dimension: name,
  merkmale: sql`${merkmale}::int[]`,
});

/** The number of the filter's value; nothing when no call ever had it. */
export const numberOf = (tx: MandantTx, { dimension, value }: Filter): Part =>
  sql`SELECT merkmal_id FROM merkmale
    WHERE mandant_id = ${tx.mandant} AND dimension = ${DIMENSIONS[dimension].number} AND text = ${value}`;

export const ofValue = (tx: MandantTx, filter: Filter): Whose => ({
  dimension: filter.dimension,
  merkmale: sql`ARRAY(${numberOf(tx, filter)})`,
});

/**
 * Which rows of a table: where only some values are wanted, each of them is looked up in each hour, day or week in which
 * there was any call; a range would read those of all other values, too.
 */
function within(tx: MandantTx, { grain, von, bis }: Stretch, { dimension, merkmale }: Whose): Part {
  const { table, column, type } = GRAINS[grain];
  const name = sql.ref(column);
  const range = sql`${name} >= ${von}::${sql.raw(type)} AND ${name} < ${bis}::${sql.raw(type)}`;
  const number = dimension ? DIMENSIONS[dimension].number : TOTAL.dimension;
  const own = sql`mandant_id = ${tx.mandant} AND dimension = ${sql.lit(number)}`;
  if (!merkmale) return sql`${own} AND ${range}`;
  if (!dimension) return sql`${own} AND ${range} AND merkmal_id = ANY(${merkmale})`;
  return sql`${own} AND merkmal_id = ANY(${merkmale}) AND ${name} = ANY(ARRAY(
    SELECT ${name} FROM ${sql.table(table)} WHERE mandant_id = ${tx.mandant}
      AND dimension = ${sql.lit(TOTAL.dimension)} AND merkmal_id = ${sql.lit(TOTAL.merkmal)} AND ${range}))`;
}

function rowsOfStretch(
  tx: MandantTx,
  stretch: Stretch,
  whose: Whose,
  names: readonly FigureName[],
  bucket: Part,
): Part {
  const sign = stretch.sign > 0 ? '' : '-';
  const figures = sql.raw(names.map((name) => `${sign}${name} AS ${name}`).join(', '));
  return sql`SELECT ${bucket} AS bucket, merkmal_id, ${figures}
    FROM ${sql.table(GRAINS[stretch.grain].table)} WHERE ${within(tx, stretch, whose)}`;
}

/** The calls of a window that are in no sum yet. */
function singleRows(
  tx: MandantTx,
  { window: { von, bis }, singles }: Source,
  { dimension, merkmale }: Whose,
  names: readonly FigureName[],
  bucket: Part,
): Part {
  const merkmal = dimension ? sql.ref(dimension) : sql.lit(TOTAL.merkmal);
  const chosen = dimension && merkmale ? sql`AND ${merkmal} = ANY(${merkmale})` : sql``;
  return sql`SELECT ${bucket} AS bucket, ${merkmal} AS merkmal_id, ${sql.raw(names.join(', '))} FROM verbrauch_einzeln
    WHERE mandant_id = ${tx.mandant} AND stunde >= ${toUtc(von)}::timestamptz AND stunde < ${toUtc(bis)}::timestamptz ${chosen} ${singles ? sql`AND ${singles}` : sql``}`;
}

/** What is read of a window of whole local hours: the sums it is made up of, and what is in no sum yet. */
export interface Source {
  window: Window;
  stretches: Stretch[];
  /** A condition on those that are in no sum yet; all unless given. */
  singles?: Part;
}

/** SELECT of `bucket` (the local day, or the hour where `byHour`), `merkmal_id` and the figures, to be added up. */
export function rowsOf(
  tx: MandantTx,
  source: Source,
  whose: Whose,
  names: readonly FigureName[],
  byHour = false,
): Part {
  const summed = source.stretches.map((stretch) => {
    const bucket = byHour ? sql`stunde` : stretch.grain === 'tag' ? sql`tag` : sql`${stretch.tag}::date`;
    return rowsOfStretch(tx, stretch, whose, names, bucket);
  });
  const singles = singleRows(tx, source, whose, names, byHour ? sql`stunde` : sql`tag`);
  return sql.join([...summed, singles], sql` UNION ALL `);
}
