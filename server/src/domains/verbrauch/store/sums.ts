/** Rows of the sums that counting keeps: stretches of a window, all values of a dimension or some of them. */
import { type RawBuilder, sql } from 'kysely';
import { DIMENSIONS, type DimensionName, type FigureName } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import { GRAINS, TOTAL } from '../rollup.ts';
import type { Stretch } from '../window.ts';

export type Part = RawBuilder<unknown>;

/** One value of one dimension; '' for calls without one. */
export interface Filter {
  dimension: DimensionName;
  value: string;
}

/** Whose sums: of a dimension by number, of all its values or of those whose numbers the SQL array names. */
export interface Whose {
  dimension: number;
  merkmale: Part | null;
}

export const ofAll: Whose = { dimension: TOTAL.dimension, merkmale: sql`ARRAY[${sql.lit(TOTAL.merkmal)}]` };

export const allOf = (name: DimensionName): Whose => ({
  dimension: DIMENSIONS[name].number,
  merkmale: null,
});

/** Those values of a dimension that the part `chosen` of the statement names. */
export const ofChosen = (name: DimensionName): Whose => ({
  dimension: DIMENSIONS[name].number,
  merkmale: sql`ARRAY(SELECT merkmal_id FROM chosen)`,
});

/** The number of the filter's value; nothing when no call ever had it. */
export const numberOf = (tx: MandantTx, { dimension, value }: Filter): Part =>
  sql`SELECT merkmal_id FROM merkmale
    WHERE mandant_id = ${tx.mandant} AND dimension = ${DIMENSIONS[dimension].number} AND text = ${value}`;

export const ofValue = (tx: MandantTx, filter: Filter): Whose => ({
  dimension: DIMENSIONS[filter.dimension].number,
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
  const own = sql`mandant_id = ${tx.mandant} AND dimension = ${sql.lit(dimension)}`;
  if (!merkmale) return sql`${own} AND ${range}`;
  if (dimension === TOTAL.dimension) return sql`${own} AND ${range} AND merkmal_id = ANY(${merkmale})`;
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

const none = (names: readonly FigureName[], type: 'date' | 'timestamptz'): Part =>
  sql`SELECT NULL::${sql.raw(type)} AS bucket, NULL::int AS merkmal_id,
    ${sql.raw(names.map((name) => `0 AS ${name}`).join(', '))} WHERE false`;

/** SELECT of `bucket` (the local day, or the hour where `byHour`), `merkmal_id` and the figures, to be added up. */
export function rowsOf(
  tx: MandantTx,
  stretches: Stretch[],
  whose: Whose,
  names: readonly FigureName[],
  byHour = false,
): Part {
  if (stretches.length === 0) return none(names, byHour ? 'timestamptz' : 'date');
  return sql.join(
    stretches.map((stretch) => {
      const bucket = byHour ? sql`stunde` : stretch.grain === 'tag' ? sql`tag` : sql`${stretch.tag}::date`;
      return rowsOfStretch(tx, stretch, whose, names, bucket);
    }),
    sql` UNION ALL `,
  );
}
