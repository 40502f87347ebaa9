/**
 * Runs jobs as they come: at once when their transaction notifies, else when they are due, and at the latest every half
 * minute, should a notice have been missed. An idle runner asks once in that time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from './job.ts';
import { createLane, type LaneOptions } from './lane.ts';
import { secondsToNext } from './store.ts';

export type RunnerOptions = Pick<LaneOptions, 'db' | 'log' | 'observe'> & { jobs: Job[] };

export interface Runner {
  /** Runs what is due now and what that makes due at once; resolves with how many runs have succeeded. */
  runDue(): Promise<number>;
  start(): void;
  /** Looks at one job now, or at all of them. */
  wake(id?: string): void;
  /** Takes up nothing more and waits a while for what is under way; what is not done by then is run again elsewhere. */
  stop(): Promise<void>;
}

const LONGEST_SLEEP = 30;
/** Soon enough, and not in a circle when clocks differ by a moment. */
const SHORTEST_SLEEP = 0.05;
const AFTER_TROUBLE = 5;
const STOP_MS = 10_000;

export function createRunner({ jobs, db, log, observe }: RunnerOptions): Runner {
  let timer: NodeJS.Timeout | null = null;
  /** When the timer goes off, as `performance.now()`. */
  let goesOff = Number.POSITIVE_INFINITY;
  let started = false;

  /** Looks again after so many seconds, if nothing is to be looked at before. */
  const lookAfter = (seconds: number): void => {
    const at = performance.now() + Math.max(seconds, SHORTEST_SLEEP) * 1_000;
    if (!started || at >= goesOff) return;
    if (timer) clearTimeout(timer);
    goesOff = at;
    timer = setTimeout(() => {
      goesOff = Number.POSITIVE_INFINITY;
      void look();
    }, at - performance.now());
  };

  const lanes = new Map(
    jobs.map((job) => {
      const onUnreachable = () => lookAfter(AFTER_TROUBLE);
      return [job.id, createLane(job, { db, log, observe, onPostponed: lookAfter, onUnreachable })];
    }),
  );
  const all = [...lanes.values()];
  const fillAll = () => Promise.all(all.map((lane) => lane.fill()));
  const settled = async () =>
    (await Promise.all(all.map((lane) => lane.settled()))).reduce((sum, count) => sum + count, 0);

  const look = async (): Promise<void> => {
    lookAfter(LONGEST_SLEEP);
    // Asked first: what becomes due while the lanes are filled is looked at right after.
    const next = await secondsToNext(db, jobs).catch(() => AFTER_TROUBLE);
    await fillAll();
    if (next !== null) lookAfter(next);
  };

  return {
    async runDue() {
      let done = 0;
      for (let more = 1; more > 0; done += more) {
        await fillAll();
        more = await settled();
      }
      return done;
    },
    start() {
      started = true;
      void look();
    },
    wake(id) {
      if (!started) return;
      if (id === undefined) void look();
      else void lanes.get(id)?.fill();
    },
    async stop() {
      started = false;
      if (timer) clearTimeout(timer);
      for (const lane of all) lane.close();
      await Promise.race([settled(), delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}
