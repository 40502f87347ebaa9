/** When calls came in, beside when they say that they were made. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';

/** When a call had ended by the clock of its sender, and when it came in by ours; epoch milliseconds. */
export interface Arrival {
  ended: number;
  received: number;
}

/** Of the calls around the latest one of a key this many are looked through for more of it. */
const AROUND = 300;

/** The latest calls of keys as they came in, by `schluessel_id`; of each key the time of its latest call is given. */
export async function readArrivals(
  tx: MandantTx,
  latest: ReadonlyMap<string, string>,
): Promise<Map<string, Arrival[]>> {
  if (latest.size === 0) return new Map();
  const { rows } = await sql<Arrival & { schluessel_id: string }>`
    SELECT k.schluessel_id, extract(epoch FROM e.zeitpunkt)::float8 * 1000 + e.latenz AS ended, extract(epoch FROM e.empfangen_am)::float8 * 1000 AS received
    FROM unnest(${[...latest.keys()]}::uuid[], ${[...latest.values()]}::timestamptz[]) AS k (schluessel_id, zuletzt)
    CROSS JOIN LATERAL (SELECT schluessel_id, zeitpunkt, empfangen_am, coalesce(latenz_ms, 0) AS latenz FROM ereignisse
      WHERE mandant_id = ${tx.mandant} AND zeitpunkt < k.zuletzt + interval '1 second'
      ORDER BY zeitpunkt DESC, ereignis_id DESC LIMIT ${AROUND}) AS e
    WHERE e.schluessel_id = k.schluessel_id`.execute(tx);
  return Map.groupBy(rows, ({ schluessel_id }) => schluessel_id);
}
