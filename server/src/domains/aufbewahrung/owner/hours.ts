/** SQL of how long running sums by the hour are kept. Runs as the owner. */
import { DIMENSIONS } from '#contracts';
import { TOTAL } from '#domains/verbrauch/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

/** A window of the calendar is a month at most; what days are beyond the longest duration is not told from times of its rules. */
const DURATION = `'^[1-9][0-9]*[mhd]$'`;

const KEPT_FROM = `SELECT date_trunc('day', least($2::timestamptz, $3::timestamptz - interval '3 days' - coalesce(
      (SELECT max(r.zeitfenster::interval) FROM regeln r WHERE r.mandant_id = $1 AND r.zeitfenster ~ ${DURATION}), interval '0')), 'UTC') AS ab`;

/**
 * From when on a Mandant needs its hours, ISO 8601 in UTC: `usual`, or earlier as far as its rules reach.
 */
export async function readNeededFrom(
  owner: OwnerDatabase,
  mandant: string,
  usual: string,
  now: string,
): Promise<string> {
  const { rows } = await owner.query<{ ab: string }>(KEPT_FROM, [mandant, usual, now]);
  return rows[0]?.ab as string;
}

const HAS_OLDER = `SELECT FROM verbrauch_laufend_stunde
  WHERE mandant_id = $1 AND dimension = ${TOTAL.dimension} AND stunde < $2 LIMIT 1`;
// Nobody counts the Mandant meanwhile, or makes sums of its pieces.
const NOTE = `UPDATE zaehlstaende SET stunden_ab = greatest(stunden_ab, $2::timestamptz)
  WHERE mandant_id = $1`;

/** Hours of which one statement removes all sums; each has some for every value that was called with in it. */
const AT_ONCE = 20;
const NUMBERS = [TOTAL.dimension, ...Object.values(DIMENSIONS).map(({ number }) => number)];
const REMOVE = `DELETE FROM verbrauch_laufend_stunde WHERE mandant_id = $1 AND dimension = ANY('{${NUMBERS.join(',')}}') AND stunde = ANY (ARRAY(
    SELECT stunde FROM verbrauch_laufend_stunde WHERE mandant_id = $1 AND dimension = ${TOTAL.dimension} AND stunde < $2
    ORDER BY stunde LIMIT ${AT_ONCE}))`;

/** Removes the sums of hours that begin before; notes it before any of them is. Resolves with how many sums. */
export async function removeHours(owner: OwnerDatabase, mandant: string, before: string): Promise<number> {
  const { rowCount: older } = await owner.query(HAS_OLDER, [mandant, before]);
  if (!older) return 0;
  const { rowCount: noted } = await owner.query(NOTE, [mandant, before]);
  if (!noted) return 0;
  for (let removed = 0; ; ) {
    const { rowCount } = await owner.query(REMOVE, [mandant, before]);
    if (!rowCount) return removed;
    removed += rowCount;
  }
}
