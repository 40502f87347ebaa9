/**
 * Calls that are in no sum yet: those of Mandanten with little are kept one by one (`verbrauch_einzeln`) until they are many.
 * Whoever reads sums reads them, too.
 */
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from '#contracts';
import { GRAINS, type Grain, SUM_COLUMNS, TOTAL } from './rollup.ts';

/** The values of a call `e`, its total among them, as rows of SQL: dimension, `merkmal_id`, whether it has sums by the minute. */
export const VALUES_OF_SINGLE = `(VALUES (${TOTAL.dimension}::smallint, ${TOTAL.merkmal}, true), ${DIMENSION_NAMES.map(
  (name) => `(${DIMENSIONS[name].number}, e.${name}, ${DIMENSIONS[name].minutes})`,
).join(', ')})`;

/** The periods that a call belongs to, as SQL over the columns of `verbrauch_einzeln`. */
export const PERIOD_OF_SINGLE: Record<Grain, string> = {
  minute: 'minute',
  stunde: 'stunde',
};

/** The calls themselves as rows of sums: each stands for all of its values, or for that of one dimension (its total: `alle`). */
function singleCalls(grain: Grain, only: DimensionName | 'alle' | undefined, names: string): string {
  const period = PERIOD_OF_SINGLE[grain];
  const byMinute = grain === 'minute';
  const minutes = byMinute ? 'WHERE e.minute IS NOT NULL' : '';
  if (only === undefined)
    return `SELECT e.mandant_id, d.dimension::smallint, ${period}, d.merkmal_id, ${names} FROM verbrauch_einzeln e
        CROSS JOIN LATERAL ${VALUES_OF_SINGLE} AS d (dimension, merkmal_id, nach_minute) ${byMinute ? `${minutes} AND d.nach_minute` : ''}`;
  const [number, merkmal] =
    only === 'alle' ? [TOTAL.dimension, TOTAL.merkmal] : [DIMENSIONS[only].number, `e.${only}`];
  const none = byMinute && only !== 'alle' && !DIMENSIONS[only].minutes ? ' AND false' : '';
  return `SELECT e.mandant_id, ${number}::smallint, ${period}, ${merkmal}::integer, ${names} FROM verbrauch_einzeln e ${minutes}${none}`;
}

/**
 * A table of sums as it would be with all calls added up, as SQL to stand behind FROM. Asked for one Mandant in the order of its
 * key, it comes row by row: both sides have the same types, or all of it would be sorted first. With `only` it holds the sums of that
 * dimension, or those of all calls, and takes no others apart.
 */
export function completeSums(grain: Grain, only?: DimensionName | 'alle'): string {
  const { table, column } = GRAINS[grain];
  const names = SUM_COLUMNS.map(({ name }) => name).join(', ');
  const number = only === 'alle' ? TOTAL.dimension : only && DIMENSIONS[only].number;
  const own = number === undefined ? '' : `WHERE dimension = ${number}::smallint`;
  return `(SELECT mandant_id, dimension, ${column}, merkmal_id,
      ${SUM_COLUMNS.map(({ name, type }) => `sum(${name})::${type} AS ${name}`).join(', ')}
    FROM (SELECT mandant_id, dimension, ${column}, merkmal_id, ${names} FROM ${table} ${own}
      UNION ALL ${singleCalls(grain, only, names)}) AS beides
    GROUP BY 1, 2, 3, 4)`;
}
