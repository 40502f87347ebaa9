/**
 * The clock: where the time of a job has come, one of several instances puts a run in, once. That it has done so and the run are one
 * statement, so that no crash lies in between; a time that passed while none was there is made up for when one is.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Cron } from 'croner';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import type { Job } from './job.ts';
import { createClockLook } from './passed-time.ts';
import { claimTime, joinSchedule, putScheduled, readSchedule, removeUnscheduled } from './store.ts';

export interface Clockwork {
  stop(): Promise<void>;
}

const ZONE = 'Europe/Berlin';
/** A run of the schedule may come a little late. */
const LOOK_MS = 15_000;
const AFTER_TROUBLE_MS = 5_000;
/** A clock that is set back by less makes no time come twice; by more, times are counted from where it is now. */
const SET_BACK_MS = 60_000;

/**
 * The latest time of a cron expression in Europe/Berlin before an instant; null where there was none. In the night that has
 * an hour twice, a time in it comes once; where the hour is missing, at its end. Both do not hold for what comes every hour.
 */
export const latestTime = (cron: string, before: Date): Date | null =>
  new Cron(cron, { timezone: ZONE }).previousRuns(1, before)[0] ?? null;

/** Keeps trying while the database is away: counting beside it goes on as soon as it can. */
export function startClockwork(jobs: Job[], db: OwnerDatabase, log: Log): Clockwork {
  const stopping = new AbortController();
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  const schedules = new Map(jobs.flatMap(({ id, schedule }) => (schedule ? [[id, schedule] as const] : [])));

  const begin = async (): Promise<void> => {
    await removeUnscheduled(
      db,
      jobs.map(({ id }) => id),
    );
    await joinSchedule(db, [...schedules.keys()]);
    for (const [id, { atStart }] of schedules) if (atStart) await putScheduled(db, id);
  };
  const lookAtClock = createClockLook(db);
  const look = async (): Promise<void> => {
    await lookAtClock();
    for (const row of await readSchedule(db)) {
      const schedule = schedules.get(row.job);
      const [last, now] = [new Date(row.zuletzt), new Date(row.now)];
      const time = schedule && latestTime(schedule.cron, now);
      if (time && (time > last || last.getTime() > now.getTime() + SET_BACK_MS))
        await claimTime(db, row.job, row.zuletzt, time);
    }
  };
  const run = async (): Promise<void> => {
    let isRunning = false;
    while (!stopping.signal.aborted) {
      try {
        if (!isRunning) await begin();
        isRunning = true;
        await look();
        await pause(LOOK_MS);
      } catch (error) {
        log.error({ err: error }, isRunning ? 'schedule' : 'schedule not started');
        await pause(AFTER_TROUBLE_MS);
      }
    }
  };
  const ended = run();

  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
