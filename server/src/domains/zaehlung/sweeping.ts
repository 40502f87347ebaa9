/**
 * Keeps tables small that rows only pass through. Asking what waits there reads all of the table, the room of rows that are gone included,
 * and the database looks for such room once a minute: by then it is many times what waits.
 */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';

/** Rows that go before their room is freed. */
const MANY_GONE = 5_000;

export interface Sweeping {
  /** Notes how many rows have gone. Throws nothing, and waits for nothing. */
  gone(rows: number): void;
  /** Resolves once what is under way has ended. */
  end(): Promise<void>;
}

/** For a table of counting. Where the database is busy with it anyway it is left to that. */
export function createSweeping(db: OwnerDatabase, log: Log, table: 'eingang' | 'zaehlmarken'): Sweeping {
  let rowsGone = 0;
  let underWay: Promise<void> | null = null;
  const sweep = async () => {
    try {
      await db.query(`VACUUM (SKIP_LOCKED, TRUNCATE false, PARALLEL 0) ${table}`);
    } catch (error) {
      log.debug({ err: error, table }, 'not vacuumed; the database will');
    }
    underWay = null;
  };
  return {
    gone(rows) {
      rowsGone += rows;
      if (rowsGone < MANY_GONE || underWay) return;
      rowsGone = 0;
      underWay = sweep();
    },
    end: async () => {
      await underWay;
    },
  };
}
