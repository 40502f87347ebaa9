/**
 * Events and costs of many Mandanten, from what their local days add up to; never from events. The Mandanten are named, so that each is
 * looked up by its key.
 */
import type pg from 'pg';
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

/** For the Mandanten `$1` from the local day `$2` of each. */
const FROM_DAYS = `FROM unnest($1::uuid[], $2::date[]) AS w (mandant_id, von)
  JOIN verbrauch_tagesstand v ON v.mandant_id = w.mandant_id AND v.tag >= w.von`;

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
    `SELECT v.mandant_id AS key, ${FIGURES} ${FROM_DAYS} GROUP BY v.mandant_id`,
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
    `SELECT ${period} AS key, ${FIGURES} ${FROM_DAYS} GROUP BY 1 ORDER BY 1 DESC`,
    [ids, ids.map(() => since)],
  );
  return rows.map((row) => ({ key: row.key, ...toSums(row) }));
}
