/**
 * Which time has certainly passed. A clock may be ahead for a while, or begin in the wrong year; what is removed for good therefore
 * does not go by one look at it. A look counts when another one, a day later at the earliest, finds no time before it (0101).
 */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

const HOUR_MS = 3_600_000;
/** More than adjusting a clock gently, or an answer that took long, makes between two looks. */
const JUMP_MS = 5_000;

/** A clock that nobody can set, and the one of this process. */
export interface LookClocks {
  steady(): number;
  wall(): number;
}

const systemClocks: LookClocks = { steady: () => performance.now(), wall: () => Date.now() };

// $1 whether the clock cannot be relied on just now: then the day begins anew, as where time has gone back.
const LOOK = `
  UPDATE uhrstand SET
    vergangen_bis = CASE
      WHEN NOT $1::boolean AND jetzt >= gesehen_am + interval '1 day' THEN gesehen_am
      WHEN vergangen_bis > jetzt THEN jetzt
      ELSE vergangen_bis END,
    gesehen_am = jetzt
  FROM (SELECT clock_timestamp() AS jetzt) AS uhr
  WHERE $1::boolean OR gesehen_am IS NULL OR jetzt < gesehen_am - interval '5 seconds'
    OR jetzt >= gesehen_am + interval '1 day'`;

/** The clock of the database is ahead of ours by what lies in between, as far as one question tells. */
interface Offset {
  least: number;
  most: number;
}

const areApart = (one: Offset, other: Offset): boolean =>
  one.least > other.most + JUMP_MS || one.most < other.least - JUMP_MS;

/**
 * Makes the look at the clock of the database, to be taken now and then by each process that runs jobs. It does not count while the
 * clock has just jumped, or differs from that of the process.
 */
export function createClockLook(db: OwnerDatabase, clocks: LookClocks = systemClocks): () => Promise<void> {
  let before: Offset | null = null;
  return async () => {
    const asked = { steady: clocks.steady(), wall: clocks.wall() };
    const { rows } = await db.query<{ ms: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
    );
    const { ms } = rows[0] as { ms: number };
    const offset = { least: ms - clocks.steady(), most: ms - asked.steady };
    const hasJumped = before !== null && areApart(offset, before);
    const isOff = areApart({ least: ms - clocks.wall(), most: ms - asked.wall }, { least: 0, most: 0 });
    before = offset;
    await db.query(LOOK, [hasJumped || isOff]);
  };
}

/** A day at least lies between a look and the time that is certain; what is kept for days may be reckoned from there. */
export const CERTAIN_AFTER_HOURS = 24;

/**
 * The instant from which these hours have certainly passed: the limit for what is removed for good. Null while nothing is certain;
 * then nothing is to be removed.
 */
export async function passedBefore(db: Pick<OwnerDatabase, 'query'>, hours: number): Promise<Date | null> {
  const { rows } = await db.query<{ ms: number | null }>(
    `SELECT CASE WHEN vergangen_bis IS NOT NULL
       THEN extract(epoch FROM least(clock_timestamp(), vergangen_bis))::float8 * 1000 END AS ms FROM uhrstand`,
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null || ms === Number.NEGATIVE_INFINITY ? null : new Date(ms - hours * HOUR_MS);
}
