/**
 * Calls of a run that are proven to be exact repeats: their cost is burnt money, each call's once, whether it failed as well or
 * not. What is proven anew replaces what was: a late call may make a repeat of none, or none of a repeat.
 */
import type pg from 'pg';
import { createLocalHours } from '#kernel/local-hours.ts';
import { EUR_SCALE, scaledFrom } from '#kernel/money.ts';
import {
  addDifferences,
  COUNTED_ROW,
  type CountedRow,
  eventOf,
  hasFailed,
  lockCounting,
} from './differences.ts';
import { repeat } from './runs.ts';
import { REPEAT } from './sums/figures.ts';

interface ChangedRow extends CountedRow {
  wiederholung: boolean;
  kosten_eur: string | null;
}

const ZONE = 'SELECT zeitzone FROM mandanten WHERE mandant_id = $1';
// The bounds of the run leave out the months it does not touch.
const CHANGED = `SELECT ${COUNTED_ROW}, wiederholung, trim_scale(kosten_eur)::text AS kosten_eur
  FROM ereignisse e WHERE mandant_id = $1 AND lauf_id = $2 AND wiederholung <> (ereignis_id = ANY ($3::uuid[]))
    AND zeitpunkt >= coalesce((SELECT annahme_ab FROM aufbewahrung), '-infinity')
    AND zeitpunkt >= (SELECT beginn FROM laeufe WHERE mandant_id = $1 AND lauf_id = $2)
    AND zeitpunkt <= (SELECT ende FROM laeufe WHERE mandant_id = $1 AND lauf_id = $2)`;
const CHANGE = `UPDATE ereignisse e SET wiederholung = NOT e.wiederholung
  FROM unnest($2::uuid[], $3::timestamptz[]) AS n (id, zeitpunkt)
  WHERE e.mandant_id = $1 AND e.zeitpunkt = n.zeitpunkt AND e.ereignis_id = n.id`;

/**
 * Notes which calls of the run (by `ereignis_id`) are repeats, and no others; resolves with how many changed. Runs as the owner,
 * in a transaction that takes the counting lock of the Mandant and is to end soon.
 */
export async function setRepeats(
  client: pg.PoolClient,
  mandant: string,
  lauf: string,
  repeats: string[],
): Promise<number> {
  const stand = await lockCounting(client, mandant);
  if (!stand) return 0;
  const { rows } = await client.query<ChangedRow>(CHANGED, [mandant, lauf, repeats]);
  if (rows.length === 0) return 0;
  await client.query(CHANGE, [
    mandant,
    rows.map(({ ereignis_id }) => ereignis_id),
    rows.map(({ zeitpunkt }) => zeitpunkt),
  ]);
  const zone = await client.query<{ zeitzone: string }>(ZONE, [mandant]);
  const localHour = createLocalHours(zone.rows[0]?.zeitzone ?? 'UTC');
  const events = rows
    // The cost of a failed call is burnt anyway; an unknown cost is, once it is known.
    .filter((row) => row.kosten_eur !== null && !hasFailed(row))
    .map((row) => {
      const eur = scaledFrom(row.kosten_eur as string, EUR_SCALE);
      const money = {
        buckets: null,
        usd: null,
        eur: row.wiederholung ? -eur : eur,
        preisQuelle: null,
        teilbepreist: false,
        failed: false,
      };
      return eventOf(row, localHour, money);
    });
  if (events.length > 0)
    await addDifferences(client, mandant, stand, events, {
      toSums: REPEAT,
      toRuns: repeat,
      toKeys: null,
      rereads: false,
    });
  return rows.length;
}
