/**
 * A check of all Mandanten that users with the right ask for, at most every few seconds for the whole installation: who asks while
 * one has begun after that shares it. The table is for all processes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

/** How many of what, by name. */
export type Counters = Record<string, number>;

/** Seconds from the beginning of a run to that of the next. */
const GAP = 5;
/** A run that has not ended by then has died with its process. */
const DEAD = '4 minutes';

const CLAIM = `
  INSERT INTO pruefungen AS p (name, begonnen_am) VALUES ($1, clock_timestamp())
  ON CONFLICT (name) DO UPDATE SET begonnen_am = excluded.begonnen_am, beendet_am = NULL
    WHERE p.begonnen_am <= excluded.begonnen_am - make_interval(secs => ${GAP})
      AND (p.beendet_am IS NOT NULL OR p.begonnen_am < excluded.begonnen_am - interval '${DEAD}')
  RETURNING begonnen_am::text`;

const FINISH =
  'UPDATE pruefungen SET beendet_am = clock_timestamp(), zaehler = $3 WHERE name = $1 AND begonnen_am = $2::timestamptz';

/** Runs it, unless it is running or began a moment ago: null. Whatever it has counted by then is noted also when it fails. */
export async function runShared(
  owner: OwnerDatabase,
  name: string,
  run: (counters: Counters) => Promise<void>,
): Promise<Counters | null> {
  const { rows } = await owner.query<{ begonnen_am: string }>(CLAIM, [name]);
  if (!rows[0]) return null;
  const counters: Counters = {};
  try {
    await run(counters);
  } finally {
    await owner.query(FINISH, [name, rows[0].begonnen_am, JSON.stringify(counters)]);
  }
  return counters;
}

const BEGAN_SINCE = 'SELECT FROM pruefungen WHERE name = $1 AND begonnen_am >= $2::timestamptz';

/** Makes sure that a run begins, or has begun, after the instant `since` (ISO 8601, of the database). Null when another did. */
export async function runSince(
  owner: OwnerDatabase,
  name: string,
  since: string,
  run: (counters: Counters) => Promise<void>,
): Promise<Counters | null> {
  // Within the gap and a run that is under way, then the first one.
  for (let tries = 0; tries < 60; tries += 1) {
    const { rowCount } = await owner.query(BEGAN_SINCE, [name, since]);
    if (rowCount) return null;
    const counters = await runShared(owner, name, run);
    if (counters) return counters;
    await delay(1_000);
  }
  return null;
}
