/**
 * What some values of a dimension cost since each of several moments, from the sums by minute or hour: what budgets ask, of windows that
 * are no whole hours, too. Days and months are asked for by the instants at which they begin. Exact; sent by the owner and by requests
 * alike.
 */
import { DIMENSIONS, type DimensionName } from '#contracts';
import type { Ask } from '#platform/database/index.ts';
import { GRAINS, type Grain, TOTAL } from './rollup.ts';
import { completeSums, PERIOD_OF_SINGLE } from './singles.ts';

export interface CostQuestion {
  mandant: string;
  dimension: DimensionName;
  values: readonly string[];
  grain: Grain;
  /** Periods that begin from there on, each ISO 8601 in UTC; the earliest first. */
  since: readonly [string, ...string[]];
  /** And before this. */
  until: string;
}

/**
 * Each value is looked up in each period in which there was any call (as in `store/sums.ts`); calls that are in no sum yet are few.
 */
function statement(dimension: DimensionName, grain: Grain, moments: number): string {
  const { table, column } = GRAINS[grain];
  const { number } = DIMENSIONS[dimension];
  const single = PERIOD_OF_SINGLE[grain];
  const whose = 'merkmal_id = ANY(ARRAY(SELECT merkmal_id FROM gefragt))';
  const range = (period: string) => `${period} >= ($4::timestamptz[])[1] AND ${period} < $5::timestamptz`;
  const sums = Array.from(
    { length: moments },
    (_, index) =>
      `trim_scale(coalesce(sum(kosten_eur) FILTER (WHERE beginn >= ($4::timestamptz[])[${index + 1}]), 0))::text`,
  );
  return `
    WITH gefragt AS MATERIALIZED (
      SELECT merkmal_id, text FROM merkmale WHERE mandant_id = $1 AND dimension = $2 AND text = ANY($3::text[]))
    SELECT g.text AS wert, ARRAY[${sums.join(', ')}] AS kosten
    FROM (SELECT merkmal_id, ${column} AS beginn, kosten_eur FROM ${table}
        WHERE mandant_id = $1 AND dimension = ${number} AND ${whose} AND ${column} = ANY(ARRAY(
          SELECT ${column} FROM ${table} WHERE mandant_id = $1 AND dimension = ${TOTAL.dimension}
            AND merkmal_id = ${TOTAL.merkmal} AND ${range(column)}))
      UNION ALL SELECT ${dimension}, ${single}, kosten_eur FROM verbrauch_einzeln
        WHERE mandant_id = $1 AND ${dimension} = ANY(ARRAY(SELECT merkmal_id FROM gefragt)) AND ${range(single)}) AS r
    JOIN gefragt g USING (merkmal_id)
    GROUP BY g.text`;
}

/** Costs in EUR of each value, exact decimals, by the same position as `since`; a value without calls is not in it. */
export async function costsSince(ask: Ask, question: CostQuestion): Promise<Map<string, string[]>> {
  const { mandant, dimension, values, grain, since, until } = question;
  if (values.length === 0) return new Map();
  const rows = await ask<{ wert: string; kosten: string[] }>(statement(dimension, grain, since.length), [
    mandant,
    DIMENSIONS[dimension].number,
    values,
    since,
    until,
  ]);
  return new Map(rows.map(({ wert, kosten }) => [wert, kosten]));
}

const allCalls = (grain: Grain, moments: number): string => {
  const { column } = GRAINS[grain];
  const sums = Array.from(
    { length: moments },
    (_, index) =>
      `trim_scale(coalesce(sum(kosten_eur) FILTER (WHERE ${column} >= ($2::timestamptz[])[${index + 1}]), 0))::text`,
  );
  return `SELECT ARRAY[${sums.join(', ')}] AS kosten, coalesce(sum(aufrufe - unbepreist), 0) > 0 AS bepreist
    FROM ${completeSums(grain, 'alle')} AS s
    WHERE mandant_id = $1 AND merkmal_id = ${TOTAL.merkmal} AND ${column} >= ($2::timestamptz[])[1] AND ${column} < $3::timestamptz`;
};

/** The same of all calls together, and whether any of them has a known price. */
export async function totalCostsSince(
  ask: Ask,
  { mandant, grain, since, until }: Omit<CostQuestion, 'dimension' | 'values'>,
): Promise<{ kosten: string[]; bepreist: boolean }> {
  const [row] = await ask<{ kosten: string[]; bepreist: boolean }>(allCalls(grain, since.length), [
    mandant,
    since,
    until,
  ]);
  return row ?? { kosten: since.map(() => '0'), bepreist: false };
}
