/**
 * What some values of a dimension cost since each of several moments, from the running sums by minute or hour: what budgets ask, of
 * windows that are no whole hours, too. Days and months are asked for by the instants at which they begin. Exact; sent by the owner and by
 * requests alike.
 */
import { DIMENSIONS, type DimensionName } from '#contracts';
import type { Ask } from '#platform/database/index.ts';
import { GRAINS, type Grain, TOTAL } from './rollup.ts';

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

/** By value what it cost, exact decimals in EUR by the same position as `since`: null where it has no running sums. */
export type Costs = Map<string, string[] | null>;

const costsFrom = (column: string, moments: number, places: string): string[] =>
  Array.from(
    { length: moments },
    (_, index) =>
      `trim_scale(coalesce(sum(kosten_eur) FILTER (WHERE ${column} >= (${places}::timestamptz[])[${index + 1}]), 0))::text`,
  );

/** Whether a value, by dimension and text, has running sums, as SQL; of the Mandant `$1`. */
export const isKeptSql = (dimension: DimensionName, text: string): string =>
  dimension === 'agent'
    ? 'true'
    : `EXISTS (SELECT FROM verbrauch_gefuehrt k WHERE k.mandant_id = $1 AND k.dimension = ${DIMENSIONS[dimension].number}
        AND k.text = ${text} AND k.seit IS NOT NULL)`;

/** Each value is looked up in each period in which there was any call: a range would read all other values besides. */
function statement(dimension: DimensionName, grain: Grain, moments: number): string {
  const { table, column } = GRAINS[grain];
  const { number } = DIMENSIONS[dimension];
  const range = `${column} >= ($4::timestamptz[])[1] AND ${column} < $5::timestamptz`;
  return `
    WITH gefragt AS MATERIALIZED (
      SELECT merkmal_id, text, ${isKeptSql(dimension, 'merkmale.text')} AS gefuehrt FROM merkmale
      WHERE mandant_id = $1 AND dimension = $2 AND text = ANY($3::text[]))
    SELECT g.text AS wert, g.gefuehrt, r.kosten FROM gefragt g
    LEFT JOIN (SELECT merkmal_id, ARRAY[${costsFrom(column, moments, '$4').join(', ')}] AS kosten FROM ${table}
      WHERE mandant_id = $1 AND dimension = ${number} AND merkmal_id = ANY(ARRAY(SELECT merkmal_id FROM gefragt WHERE gefuehrt))
        AND ${column} = ANY(ARRAY(
          SELECT ${column} FROM ${table} WHERE mandant_id = $1 AND dimension = ${TOTAL.dimension}
            AND merkmal_id = ${TOTAL.merkmal} AND ${range}))
      GROUP BY merkmal_id) AS r USING (merkmal_id)
    WHERE r.kosten IS NOT NULL OR NOT g.gefuehrt`;
}

interface CostRow {
  wert: string;
  gefuehrt: boolean;
  kosten: string[] | null;
}

/** Costs of each value; one without calls is not in it. */
export async function costsSince(ask: Ask, question: CostQuestion): Promise<Costs> {
  const { mandant, dimension, values, grain, since, until } = question;
  if (values.length === 0) return new Map();
  const rows = await ask<CostRow>(statement(dimension, grain, since.length), [
    mandant,
    DIMENSIONS[dimension].number,
    values,
    since,
    until,
  ]);
  return new Map(rows.map(({ wert, gefuehrt, kosten }) => [wert, gefuehrt ? kosten : null]));
}

const allCalls = (grain: Grain, moments: number): string => {
  const { table, column } = GRAINS[grain];
  return `SELECT ARRAY[${costsFrom(column, moments, '$2').join(', ')}] AS kosten, coalesce(sum(aufrufe - unbepreist), 0) > 0 AS bepreist
    FROM ${table} WHERE mandant_id = $1 AND dimension = ${TOTAL.dimension} AND merkmal_id = ${TOTAL.merkmal}
      AND ${column} >= ($2::timestamptz[])[1] AND ${column} < $3::timestamptz`;
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

export interface KeyCostQuestion {
  mandant: string;
  /** `schluessel_id` of each. */
  schluessel: readonly string[];
  /** Local hours that begin from there on, as `since` of a `CostQuestion`. */
  since: readonly [string, ...string[]];
  until: string;
}

/** The same of API keys, by the hour; a key without calls is not in it. */
export async function keyCostsSince(
  ask: Ask,
  { mandant, schluessel, since, until }: KeyCostQuestion,
): Promise<Map<string, string[]>> {
  if (schluessel.length === 0) return new Map();
  const rows = await ask<{ schluessel_id: string; kosten: string[] }>(
    `SELECT schluessel_id, ARRAY[${costsFrom('stunde', since.length, '$3').join(', ')}] AS kosten FROM verbrauch_schluessel
     WHERE mandant_id = $1 AND schluessel_id = ANY($2::uuid[]) AND stunde >= ($3::timestamptz[])[1] AND stunde < $4::timestamptz
     GROUP BY schluessel_id`,
    [mandant, schluessel, since, until],
  );
  return new Map(rows.map(({ schluessel_id, kosten }) => [schluessel_id, kosten]));
}
