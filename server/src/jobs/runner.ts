/**
 * Runs jobs as they come: at once when their transaction notifies, else when they are due, and at the latest every half
 * minute, should a notice have been missed. An idle runner asks one question in that time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from './job.ts';
import { createLane, type LaneOptions } from './lane.ts';
import { CLAIM_SECONDS, lookAhead, type Worker } from './store.ts';

export type RunnerOptions = Pick<LaneOptions, 'db' | 'log' | 'observe'> & {
  jobs: Job[];
  worker?: Partial<Worker>;
};

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

/** Calls `ring` once, at the earliest of the times it is set to. */
function createAlarm(ring: () => void) {
  let timer: NodeJS.Timeout | undefined;
  /** As `performance.now()`. */
  let rings = Number.POSITIVE_INFINITY;
  let off = false;
  return {
    set(seconds: number): void {
      const wait = Math.max(seconds, SHORTEST_SLEEP) * 1_000;
      const at = performance.now() + wait;
      if (off || at >= rings) return;
      clearTimeout(timer);
      rings = at;
      timer = setTimeout(() => {
        rings = Number.POSITIVE_INFINITY;
        ring();
      }, wait);
    },
    turnOff(): void {
      off = true;
      clearTimeout(timer);
    },
  };
}

export function createRunner({ jobs, db, log, observe, worker: given }: RunnerOptions): Runner {
  const worker: Worker = { id: null, claimSeconds: CLAIM_SECONDS, ...given };
  let started = false;
  const alarm = createAlarm(() => void look());
  const lookAfter = (seconds: number) => started && alarm.set(seconds);
  const options = {
    ...{ db, log, observe, worker },
    onPostponed: lookAfter,
    onUnreachable: () => lookAfter(AFTER_TROUBLE),
  };
  const lanes = new Map(jobs.map((job) => [job.id, createLane(job, options)]));
  const fill = (ids: Iterable<string>) => Promise.all([...ids].map((id) => lanes.get(id)?.fill()));
  const settled = async () => {
    const counts = await Promise.all([...lanes.values()].map((lane) => lane.settled()));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const look = async (): Promise<void> => {
    lookAfter(LONGEST_SLEEP);
    try {
      const { due, seconds } = await lookAhead(db, [...lanes.keys()]);
      if (seconds !== null) lookAfter(seconds);
      await fill(due);
    } catch (error) {
      log.warn({ err: error }, 'jobs not reached');
      lookAfter(AFTER_TROUBLE);
    }
  };
  return {
    async runDue() {
      let done = 0;
      for (let more = 1; more > 0; done += more) {
        await fill(lanes.keys());
        more = await settled();
      }
      return done;
    },
    start() {
      started = true;
      void look();
    },
    wake(id) {
      if (started) void (id === undefined ? look() : fill([id]));
    },
    async stop() {
      started = false;
      alarm.turnOff();
      for (const lane of lanes.values()) lane.close();
      await Promise.race([settled(), delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}
