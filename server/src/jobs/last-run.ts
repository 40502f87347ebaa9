/** When a check of all Mandanten was last made, for those who run the installation. */
import { toInstant } from '#kernel/instant.ts';
import type { RequestDatabase } from '#platform/database/index.ts';
import type { Check } from './check.ts';

/** The latest run. */
export interface LastRun {
  /** ISO 8601 in UTC, by the clock of the database. */
  began: string;
  /** Seconds since it began. */
  seconds: number;
  /** False while it is under way, and for good where its process died. */
  ended: boolean;
}

/** Null before the first one. Throws when the database does not answer. */
export async function readLastRun(db: RequestDatabase, { name }: Check): Promise<LastRun | null> {
  const { rows } = await db.transaction((client) =>
    client.query<LastRun>(
      `SELECT begonnen_am AS began, beendet_am IS NOT NULL AS ended,
         extract(epoch FROM clock_timestamp() - begonnen_am)::float8 AS seconds
       FROM pruefungen WHERE name = $1`,
      [name],
    ),
  );
  const [run] = rows;
  return run ? { ...run, began: toInstant(run.began) } : null;
}
