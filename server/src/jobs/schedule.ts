/** The clock: pg-boss, in the same PostgreSQL, says when; of several instances one puts the run in. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type DatabaseOptions, PgBoss } from 'pg-boss';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import type { Job } from './job.ts';
import { putScheduled, removeUnscheduled } from './store.ts';

export interface Clockwork {
  stop(): Promise<void>;
}

const ZONE = 'Europe/Berlin';
/** The one queue of pg-boss: it carries which job's time has come. */
const QUEUE = 'zeitplan';
const OWN_QUEUES = '__pgboss__';
/** A run of the schedule may come a little late. */
const POLL_SECONDS = 15;
/** Jobs of pg-boss that depend on each other, which we have none of, are looked for this seldom. */
const FLOW_SECONDS = 3_600;
const AFTER_TROUBLE_MS = 5_000;
const STOP_MS = 5_000;

interface Due {
  job: string;
}

const QUEUE_OPTIONS = { retryLimit: 5, retryDelay: 10, retentionSeconds: 3_600, deleteAfterSeconds: 3_600 };

function createBoss(connection: pg.ClientConfig, log: Log): PgBoss {
  const boss = new PgBoss({
    ...(connection as DatabaseOptions),
    max: 2,
    application_name: 'zaehlwerk-zeitplan',
    cronWorkerIntervalSeconds: POLL_SECONDS,
    flowIntervalSeconds: FLOW_SECONDS,
  });
  // The database may be away for a moment; pg-boss tries again by itself.
  boss.on('error', (error) => log.warn({ err: error }, 'schedule'));
  return boss;
}

/** What pg-boss knows is what the code says: schedules and queues of jobs that are not there any more go. */
async function bringUpToDate(boss: PgBoss, jobs: Job[]): Promise<void> {
  const ids = new Set(jobs.map(({ id }) => id));
  for (const { name, key } of await boss.getSchedules())
    if (name !== QUEUE || !ids.has(key)) await boss.unschedule(name, key);
  for (const { name } of await boss.getQueues())
    if (name !== QUEUE && !name.startsWith(OWN_QUEUES)) await boss.deleteQueue(name);
  await boss.createQueue(QUEUE, QUEUE_OPTIONS);
  for (const { id, schedule } of jobs)
    if (schedule) await boss.schedule(QUEUE, schedule.cron, { job: id }, { tz: ZONE, key: id });
}

/** Keeps trying to start while the database is away: counting beside it goes on as soon as it can. */
export function startClockwork(
  connection: pg.ClientConfig,
  jobs: Job[],
  db: OwnerDatabase,
  log: Log,
): Clockwork {
  const stopping = new AbortController();
  let boss: PgBoss | null = null;

  const begin = async (): Promise<void> => {
    await removeUnscheduled(
      db,
      jobs.map(({ id }) => id),
    );
    for (const { id, schedule } of jobs) if (schedule?.atStart) await putScheduled(db, id);
    boss = createBoss(connection, log);
    await boss.start();
    await bringUpToDate(boss, jobs);
    await boss.work<Due>(QUEUE, { pollingIntervalSeconds: POLL_SECONDS }, async (due) => {
      for (const { data } of due) await putScheduled(db, data.job);
    });
  };
  const end = async (): Promise<void> => {
    await boss?.stop({ graceful: true, timeout: STOP_MS });
    boss = null;
  };
  const started = (async () => {
    while (!stopping.signal.aborted) {
      try {
        return await begin();
      } catch (error) {
        log.error({ err: error }, 'schedule not started');
        await end().catch(() => undefined);
        await delay(AFTER_TROUBLE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  })();

  return {
    async stop() {
      stopping.abort();
      await started;
      await end();
    },
  };
}
