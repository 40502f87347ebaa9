/**
 * Calls of a run that are proven to be exact repeats: their cost is burnt money, each call's once, whether it failed as well or
 * not. What is proven anew replaces what was: a late call may make a repeat of none, or none of a repeat.
 */
import type pg from 'pg';
import { changeCalls, lockCounting } from './change-calls.ts';
import { COUNTED_ROW, type CountedRow } from './counted-row.ts';

// The bounds of the run leave out the months it does not touch.
const CHANGED = `SELECT ${COUNTED_ROW}
  FROM ereignisse e WHERE mandant_id = $1 AND lauf_id = $2 AND wiederholung <> (ereignis_id = ANY ($3::uuid[]))
    AND zeitpunkt >= coalesce((SELECT annahme_ab FROM aufbewahrung), '-infinity')
    AND zeitpunkt >= (SELECT beginn FROM laeufe WHERE mandant_id = $1 AND lauf_id = $2)
    AND zeitpunkt <= (SELECT ende FROM laeufe WHERE mandant_id = $1 AND lauf_id = $2)`;

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
  const { rows } = await client.query<CountedRow>(CHANGED, [mandant, lauf, repeats]);
  const changes = rows.map((row) => ({ row, now: { wiederholung: !row.wiederholung } }));
  await changeCalls(client, mandant, stand, changes);
  return rows.length;
}
