/**
 * SQL that makes the pairs of a local day out of its calls. For the owner of the database; requests only read pairs.
 */
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName, FIGURE_NAMES, FIGURES } from '#contracts';
import { ADDENDS, eventValue, listOf, sqlTypeOf } from './rollup.ts';

/** All pairs of dimensions, each once. */
export const PAIRS: (readonly [DimensionName, DimensionName])[] = DIMENSION_NAMES.flatMap((name, index) =>
  DIMENSION_NAMES.slice(index + 1).map((other) => [name, other] as const),
);

const FIGURE_LIST = FIGURE_NAMES.join(', ');

/** The narrowest types that hold what one call adds: they are added up twenty times over. */
const TYPES = { count: 'integer', tokens: 'bigint', usd: 'numeric', eur: 'numeric' };

/** A row for every call: the numbers of its values, and what it adds to each figure. */
export const CREATE_CALLS = `CREATE TEMP TABLE calls_of_day (${[
  ...DIMENSION_NAMES.map((name) => `${name} integer`),
  ...FIGURE_NAMES.map((name) => `${name} ${TYPES[FIGURES[name].kind]}`),
].join(', ')}) ON COMMIT DROP`;

/** The calls of the Mandant $1 from $2 to before $3. */
export const FILL_CALLS = `INSERT INTO calls_of_day
  SELECT ${DIMENSION_NAMES.map((name) => `m_${name}.merkmal_id`).join(', ')},
    ${FIGURE_NAMES.map((name) => ADDENDS[name]).join(', ')}
  FROM ereignisse e ${DIMENSION_NAMES.map(
    (name) => `JOIN merkmale m_${name} ON m_${name}.mandant_id = $1
      AND m_${name}.dimension = ${DIMENSIONS[name].number} AND m_${name}.text = ${eventValue(name)}`,
  ).join('\n  ')}
  WHERE e.mandant_id = $1 AND e.zeitpunkt >= $2 AND e.zeitpunkt < $3`;

/**
 * Writes a pair of the Mandant $1 on the day $2 in both directions, out of `calls`: a table like `calls_of_day`. What
 * was written before is replaced: a value that a day has had it keeps.
 */
export function insertPair([first, second]: (typeof PAIRS)[number], calls = 'calls_of_day'): string {
  const lists = ['array_agg(andere)', ...FIGURE_NAMES.map(listOf)].join(', ');
  const direction = (own: DimensionName, other: DimensionName) =>
    `SELECT $1::uuid, own, ${DIMENSIONS[other].number}, $2::date, ${lists}
     FROM (SELECT ${own} AS own, ${other} AS andere, ${FIGURE_LIST} FROM pairs) AS p GROUP BY own`;
  const sums = FIGURE_NAMES.map((name) => `coalesce(sum(${name}), 0)::${sqlTypeOf(name)} AS ${name}`).join(
    ', ',
  );
  return `WITH pairs AS MATERIALIZED (
      SELECT ${first}, ${second}, ${sums} FROM ${calls} AS a GROUP BY ${first}, ${second})
    INSERT INTO verbrauch_paar (mandant_id, merkmal_id, nach, tag, andere, ${FIGURE_LIST})
    ${direction(first, second)} UNION ALL ${direction(second, first)}
    ON CONFLICT (mandant_id, merkmal_id, nach, tag) DO UPDATE SET ${['andere', ...FIGURE_NAMES]
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;
}
