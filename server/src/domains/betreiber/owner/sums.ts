/**
 * Events and costs of many Mandanten, from the sums by day and the calls that are in none yet; never from events. The Mandanten are
 * named, so that each is looked up by the key of its sums.
 */
import type pg from 'pg';
import { TOTAL } from '#domains/verbrauch/index.ts';
import { toCount } from '#kernel/count.ts';

export interface Sums {
  ereignisse: number;
  /** Plain decimal; null where events were counted and none has a known price. */
  kosten_eur: string | null;
}

interface Row extends pg.QueryResultRow {
  key: string;
  ereignisse: string | number;
  kosten_eur: string | null;
}

/** Both kinds alike, for the Mandanten `$1` from the local day `$2` of each. */
const BOTH = `
  SELECT v.mandant_id, v.tag, v.aufrufe, v.unbepreist, v.kosten_eur
  FROM unnest($1::uuid[], $2::date[]) AS w (mandant_id, von)
    JOIN verbrauch_tag v ON v.mandant_id = w.mandant_id AND v.dimension = ${TOTAL.dimension} AND v.merkmal_id = ${TOTAL.merkmal}
      AND v.tag >= w.von
  UNION ALL
  SELECT e.mandant_id, e.tag, e.aufrufe, e.unbepreist, e.kosten_eur
  FROM unnest($1::uuid[], $2::date[]) AS w (mandant_id, von)
    JOIN verbrauch_einzeln e ON e.mandant_id = w.mandant_id AND e.tag >= w.von`;

const FIGURES = `sum(aufrufe)::text AS ereignisse,
  CASE WHEN sum(aufrufe) = 0 OR sum(aufrufe) > sum(unbepreist) THEN trim_scale(sum(kosten_eur))::text END AS kosten_eur`;

const toSums = ({ ereignisse, kosten_eur }: Row): Sums => ({ ereignisse: toCount(ereignisse), kosten_eur });

/** Per Mandant since a local day of its own; who has no events is not in it. */
export async function readSums(
  client: pg.PoolClient,
  ids: string[],
  since: string[],
): Promise<Map<string, Sums>> {
  const { rows } = await client.query<Row>(
    `SELECT mandant_id AS key, ${FIGURES} FROM (${BOTH}) AS beides GROUP BY mandant_id`,
    [ids, since],
  );
  return new Map(rows.map((row) => [row.key, toSums(row)]));
}

/** Of all of them together, by what `period` (SQL over the column `tag`) names, the latest first. */
export async function readSumsBy(
  client: pg.PoolClient,
  ids: string[],
  since: string,
  period: string,
): Promise<(Sums & { key: string })[]> {
  const { rows } = await client.query<Row>(
    `SELECT ${period} AS key, ${FIGURES} FROM (${BOTH}) AS beides GROUP BY 1 ORDER BY 1 DESC`,
    [ids, ids.map(() => since)],
  );
  return rows.map((row) => ({ key: row.key, ...toSums(row) }));
}
