/**
 * Calls that were counted and are told of anew are taken back first; what takes their place is then counted as any other call is. Calls
 * of an import that is undone go likewise, and nothing takes their place.
 */
import type pg from 'pg';
import { changeCalls, type Stand } from './change-calls.ts';
import { COUNTED_ROW, type CountedRow } from './counted-row.ts';
import type { Renewed } from './renewed.ts';

const takeAway = (client: pg.PoolClient, mandant: string, stand: Stand, rows: readonly CountedRow[]) =>
  changeCalls(
    client,
    mandant,
    stand,
    rows.map((row) => ({ row, now: null })),
  );

// A call's sightings tell of one time, give or take how long it took. What senders put under that name is whatever they like.
const READ = `SELECT ${COUNTED_ROW}
  FROM ereignisse e JOIN unnest($2::uuid[], $3::int[]) AS n (id, fassung) ON e.ereignis_id = n.id
  WHERE mandant_id = $1
    AND CASE WHEN json_typeof(zusatz->'otlp_fassung') = 'number' THEN (zusatz->>'otlp_fassung')::numeric END < n.fassung
    AND zeitpunkt >= to_timestamp($4) - interval '1 day' AND zeitpunkt <= to_timestamp($5) + interval '1 day'
    AND zeitpunkt >= coalesce((SELECT annahme_ab FROM aufbewahrung), '-infinity')`;

/** Takes back what is told of anew, in the counting transaction. */
export async function takeBack(
  client: pg.PoolClient,
  mandant: string,
  stand: Stand,
  renewed: readonly Renewed[],
): Promise<void> {
  if (renewed.length === 0) return;
  const times = renewed.map(({ seconds }) => seconds);
  const { rows } = await client.query<CountedRow>(READ, [
    mandant,
    renewed.map(({ id }) => id),
    renewed.map(({ fassung }) => fassung),
    Math.min(...times),
    Math.max(...times),
  ]);
  await takeAway(client, mandant, stand, rows);
}

/** Which calls of an import are taken back next. */
export interface ImportStretch {
  mandant: string;
  importId: string;
  /** Stretches of time whose calls stay, ISO 8601; an end is not meant any more. */
  stays: readonly { von: string; bis: string }[];
  limit: number;
}

const PICK = `SELECT ereignis_id, zeitpunkt FROM import_aufrufe a WHERE mandant_id = $1 AND import_id = $2
    AND zeitpunkt >= coalesce((SELECT annahme_ab FROM aufbewahrung), '-infinity')
    AND NOT EXISTS (SELECT FROM unnest($3::timestamptz[], $4::timestamptz[]) AS zu (von, bis)
      WHERE a.zeitpunkt >= zu.von AND a.zeitpunkt < zu.bis)
  ORDER BY zeitpunkt, ereignis_id LIMIT $5`;
const READ_PICKED = `SELECT ${COUNTED_ROW}
  FROM ereignisse e JOIN unnest($2::uuid[], $3::timestamptz[]) AS n (id, zeit) ON e.ereignis_id = n.id AND e.zeitpunkt = n.zeit
  WHERE mandant_id = $1 AND zeitpunkt >= $4 AND zeitpunkt <= $5`;
const FORGET_PICKED = 'DELETE FROM import_aufrufe WHERE mandant_id = $1 AND ereignis_id = ANY($2::uuid[])';

/** What was taken back: how many calls were looked at, and how many of them were there. */
export interface TakenBack {
  picked: number;
  taken: number;
}

/** Takes back calls that an import alone has told of, in the caller's transaction, which holds the counting lock. */
export async function takeBackImported(
  client: pg.PoolClient,
  stand: Stand,
  { mandant, importId, stays, limit }: ImportStretch,
): Promise<TakenBack> {
  const { rows: picked } = await client.query<{ ereignis_id: string; zeitpunkt: string }>(PICK, [
    mandant,
    importId,
    stays.map(({ von }) => von),
    stays.map(({ bis }) => bis),
    limit,
  ]);
  if (picked.length === 0) return { picked: 0, taken: 0 };
  const ids = picked.map(({ ereignis_id }) => ereignis_id);
  const times = picked.map(({ zeitpunkt }) => zeitpunkt);
  const { rows } = await client.query<CountedRow>(READ_PICKED, [mandant, ids, times, times[0], times.at(-1)]);
  await takeAway(client, mandant, stand, rows);
  await client.query(FORGET_PICKED, [mandant, ids]);
  return { picked: picked.length, taken: rows.length };
}
