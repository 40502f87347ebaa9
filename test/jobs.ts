/** The jobs kit on a database of its own: what puts jobs in, and processes that run them. */

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Job } from '#jobs/index.ts';
import { createRunner, type Runner } from '#jobs/runner.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { createPool, createRequestDatabase, type RequestDatabase } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog, type Log } from '#platform/log.ts';
import type { Observation } from '#platform/metrics.ts';
import { cloneDatabase } from './database.ts';
import type { TestService } from './service.ts';

/** The database of a service as its owner, to be closed. */
export const ownerOf = ({ connection, context }: TestService): OwnerDatabase =>
  createOwnerDatabase(
    createPool({ connection, max: 3, statementTimeout: 30_000, name: 'test' }, context.log),
  );

export interface JobsBench {
  connection: pg.ClientConfig;
  owner: OwnerDatabase;
  db: RequestDatabase;
  log: Log;
  /** What the kit has told the metrics. */
  observed: Observation[];
  /** Entries of the log with this message. */
  logged(msg: string): Record<string, unknown>[];
  /** What runs these jobs in a process of its own, as far as the database can tell. */
  runner(...jobs: Job[]): Runner;
  sql<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
  stop(): Promise<void>;
}

export const newMandant = (): MandantId => mandantId(randomUUID());

/**
 * Later tells for how many seconds the one job that waits was put off meanwhile: not fewer than `least` and not more than `most`, which are
 * apart by what the machine took.
 */
export async function watchPutOff({ sql }: Pick<JobsBench, 'sql'>) {
  const begun = await sql<{ am: string }>('SELECT clock_timestamp()::text AS am');
  return async (): Promise<{ least: number; most: number }> => {
    const [row] = await sql<{ least: number; most: number }>(
      `SELECT extract(epoch FROM faellig_am - clock_timestamp())::float8 AS least,
         extract(epoch FROM faellig_am - $1::timestamptz)::float8 AS most
       FROM auftraege WHERE NOT geplant AND aufgegeben_am IS NULL`,
      [begun[0]?.am],
    );
    if (!row) throw new Error('no job waits');
    return row;
  };
}

export async function createJobsBench(): Promise<JobsBench> {
  const database = await cloneDatabase();
  const { connection, requests } = database;
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const observed: Observation[] = [];
  const open: { stop(): Promise<void> }[] = [];
  const options = { statementTimeout: 15_000, name: 'test' };
  const ownerPool = () => createPool({ ...options, connection, max: 3 }, log);
  const owner = createOwnerDatabase(ownerPool());
  const db = createRequestDatabase(
    createPool({ ...options, connection: requests, max: 2, pipeline: true }, log),
  );
  return {
    connection,
    owner,
    db,
    log,
    observed,
    logged: (msg) => lines.map((line) => JSON.parse(line)).filter((entry) => entry.msg === msg),
    runner(...jobs) {
      const own = createOwnerDatabase(ownerPool());
      const runner = createRunner({
        jobs,
        db: own,
        log,
        observe: (observation) => observed.push(observation),
      });
      open.push({
        async stop() {
          await runner.stop();
          await own.close();
        },
      });
      return runner;
    },
    sql: async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await owner.query<R>(text, values)).rows,
    async stop() {
      for (const each of open) await each.stop();
      await Promise.all([owner.close(), db.close()]);
      await database.drop();
    },
  };
}
