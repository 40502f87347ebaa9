import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { Arrival } from './rules.ts';

/** What counting has found so far in the events of the Mandant, and whether somebody has answered for its limits of money. */
export interface Found {
  confirmed_limits: boolean;
  named_agent: boolean;
  endkunde: boolean;
}

/**
 * Whether an event named its agent, and whether one named an Endkunde. Counting makes an agent or Endkunde at the first
 * event that names it, so their existence answers without touching the events.
 */
export function readFound(tx: MandantTx): Promise<Found> {
  const agents = tx
    .selectFrom('agenten')
    .where('mandant_id', '=', tx.mandant)
    .where('schluessel', '<>', 'unbekannt');
  const customers = tx.selectFrom('endkunden').where('mandant_id', '=', tx.mandant);
  const confirmed = tx
    .selectFrom('mandanten')
    .where('mandant_id', '=', tx.mandant)
    .where('geldgrenzen_bestaetigt_am', 'is not', null);
  return tx
    .selectNoFrom(({ exists }) => [
      exists(agents).$castTo<boolean>().as('named_agent'),
      exists(confirmed).$castTo<boolean>().as('confirmed_limits'),
      exists(customers).$castTo<boolean>().as('endkunde'),
    ])
    .executeTakeFirstOrThrow();
}

/** Of the calls around the latest one of a key so many are looked through for more of it. */
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
