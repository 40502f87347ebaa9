/**
 * Calls that were counted and are told of anew are taken back first: whatever each added to sums, keys and its run is taken away, and
 * the event goes. What takes its place is then counted as any other call is. Calls of an import that is undone go likewise, and nothing
 * takes their place.
 */
import type pg from 'pg';
import { createLocalHours } from '#kernel/local-hours.ts';
import { AS_COUNTED, type AsCounted, countedOf } from './as-counted.ts';
import { addDifferences, type Stand } from './differences.ts';
import { takenBackOfKey } from './key-sums.ts';
import type { Renewed } from './renewed.ts';
import { takenBack } from './runs.ts';
import { TAKEN_BACK } from './sums/figures.ts';

const ZONE = 'SELECT zeitzone FROM mandanten WHERE mandant_id = $1';
// A call's sightings tell of one time, give or take how long it took. What senders put under that name is whatever they like.
const READ = `SELECT ${AS_COUNTED}
  FROM ereignisse e JOIN unnest($2::uuid[], $3::int[]) AS n (id, fassung) ON e.ereignis_id = n.id
  WHERE mandant_id = $1
    AND CASE WHEN json_typeof(zusatz->'otlp_fassung') = 'number' THEN (zusatz->>'otlp_fassung')::numeric END < n.fassung
    AND zeitpunkt >= to_timestamp($4) - interval '1 day' AND zeitpunkt <= to_timestamp($5) + interval '1 day'
    AND zeitpunkt >= coalesce((SELECT annahme_ab FROM aufbewahrung), '-infinity')`;
const REMOVE = `DELETE FROM ereignisse e USING unnest($2::uuid[], $3::timestamptz[]) AS n (id, zeitpunkt)
  WHERE e.mandant_id = $1 AND e.zeitpunkt = n.zeitpunkt AND e.ereignis_id = n.id`;
const FORGET_IDS = 'DELETE FROM ereignis_kennungen WHERE mandant_id = $1 AND ereignis_id = ANY($2::uuid[])';
const FORGET_RUNS = 'DELETE FROM laeufe WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]) AND aufrufe = 0';
// A run none of whose calls has a price has no cost; what is added up cannot tell that from nothing.
const NO_COST = `UPDATE laeufe SET kosten_usd = NULL, kosten_eur = NULL
  WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]) AND unbepreist = aufrufe`;
/** First and last call are those that are left, and what a run is by them. */
const LEFT = `UPDATE laeufe l SET beginn = e.beginn, ende = e.ende, fertig_ms = e.fertig, status = e.status,
    letzter_schritt = e.schritt, agent = e.agent, endkunde_ref = e.endkunde
  FROM (SELECT lauf_id, min(zeitpunkt) AS beginn, max(zeitpunkt) AS ende,
      max(floor(extract(epoch FROM zeitpunkt) * 1000)::bigint + coalesce(latenz_ms, 0)) AS fertig,
      (array_agg(status ORDER BY zeitpunkt DESC, coalesce(schritt_nr, -1) DESC))[1] AS status,
      (array_agg(schritt_nr ORDER BY zeitpunkt DESC, coalesce(schritt_nr, -1) DESC))[1] AS schritt,
      (array_agg(agent ORDER BY zeitpunkt))[1] AS agent,
      (array_agg(endkunde_ref ORDER BY zeitpunkt) FILTER (WHERE endkunde_ref IS NOT NULL))[1] AS endkunde
    FROM ereignisse WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[])
      AND zeitpunkt >= (SELECT min(beginn) FROM laeufe WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]))
      AND zeitpunkt <= (SELECT max(ende) FROM laeufe WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]))
    GROUP BY lauf_id) AS e
  WHERE l.mandant_id = $1 AND l.lauf_id = e.lauf_id`;
const FEWER = 'UPDATE zaehlstaende SET ereignisse_gesamt = ereignisse_gesamt - $2 WHERE mandant_id = $1';

async function remove(client: pg.PoolClient, mandant: string, rows: readonly AsCounted[]): Promise<void> {
  const ids = rows.map(({ ereignis_id }) => ereignis_id);
  await client.query(REMOVE, [mandant, ids, rows.map(({ zeitpunkt }) => zeitpunkt)]);
  await client.query(FORGET_IDS, [mandant, ids]);
  await client.query(FEWER, [mandant, ids.length]);
  const runs = [...new Set(rows.flatMap(({ lauf_id }) => lauf_id ?? []))];
  if (runs.length === 0) return;
  await client.query(FORGET_RUNS, [mandant, runs]);
  await client.query(NO_COST, [mandant, runs]);
  await client.query(LEFT, [mandant, runs]);
}

/** Takes back what is told of anew, in the counting transaction; resolves with how many calls. A mark is left where it is any. */
export async function takeBack(
  client: pg.PoolClient,
  mandant: string,
  stand: Stand,
  renewed: readonly Renewed[],
): Promise<number> {
  if (renewed.length === 0) return 0;
  const times = renewed.map(({ seconds }) => seconds);
  const { rows } = await client.query<AsCounted>(READ, [
    mandant,
    renewed.map(({ id }) => id),
    renewed.map(({ fassung }) => fassung),
    Math.min(...times),
    Math.max(...times),
  ]);
  await takeAway(client, mandant, stand, rows);
  return rows.length;
}

/** Takes away what these calls have added, and their events. */
async function takeAway(
  client: pg.PoolClient,
  mandant: string,
  stand: Stand,
  rows: readonly AsCounted[],
): Promise<void> {
  if (rows.length === 0) return;
  const zone = await client.query<{ zeitzone: string }>(ZONE, [mandant]);
  const localHour = createLocalHours(zone.rows[0]?.zeitzone ?? 'UTC');
  const events = rows.map((row) => countedOf(row, localHour));
  await addDifferences(client, mandant, stand, events, {
    toSums: TAKEN_BACK,
    toRuns: takenBack,
    toKeys: takenBackOfKey,
    rereads: true,
  });
  await remove(client, mandant, rows);
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
const READ_PICKED = `SELECT ${AS_COUNTED}
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
  const { rows } = await client.query<AsCounted>(READ_PICKED, [mandant, ids, times, times[0], times.at(-1)]);
  await takeAway(client, mandant, stand, rows);
  await client.query(FORGET_PICKED, [mandant, ids]);
  return { picked: picked.length, taken: rows.length };
}
