/** Jobs run through pg-boss, in the same PostgreSQL: of several instances one takes a run, a failed run is repeated. */

import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import type { Job } from './job.ts';

export interface Scheduler {
  stop(): Promise<void>;
}

const ZONE = 'Europe/Berlin';
const POLL_SECONDS = 5;

async function register(boss: PgBoss, job: Job, db: OwnerDatabase, log: Log): Promise<void> {
  // `exclusive`: at most one run of a job waits or works, however many instances ask for it.
  await boss.createQueue(job.id, {
    policy: 'exclusive',
    retryLimit: 3,
    retryDelay: 60,
    retryBackoff: true,
    expireInSeconds: 3600,
  });
  await boss.work(job.id, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
    const started = Date.now();
    try {
      const done = await job.run({ db, log });
      log.info({ job: job.id, ms: Date.now() - started, ...done }, 'job done');
    } catch (error) {
      log.warn({ job: job.id, err: error }, 'job failed');
      throw error;
    }
  });
  await boss.schedule(job.id, job.cron, {}, { tz: ZONE });
  if (job.atStart) await boss.send(job.id, {});
}

export async function startScheduler(
  connection: pg.ClientConfig,
  jobs: Job[],
  db: OwnerDatabase,
  log: Log,
): Promise<Scheduler> {
  const { host, user, database, connectionString } = connection;
  const target = connectionString
    ? { connectionString }
    : { host: host as string, user: user as string, database: database as string };
  const boss = new PgBoss({ ...target, max: 3, application_name: 'zaehlwerk-jobs' });
  // The database may be away for a moment; pg-boss tries again by itself.
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'));
  await boss.start();
  for (const job of jobs) await register(boss, job, db, log);
  return { stop: () => boss.stop({ graceful: true, timeout: 10_000 }) };
}
