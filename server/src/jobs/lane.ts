/** The runs of one job in this process: claims what is due, as many at a time as the job allows, and notes the outcome. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import type { JobOutcome, Observe } from '#platform/metrics.ts';
import { GiveUp, reasonOf, TryAgain } from './failure.ts';
import type { Claim, Done, Job, Retry } from './job.ts';
import { CLAIM_SECONDS, claim, giveUp, INSTALLATION, postpone, prolong, remove } from './store.ts';

export interface LaneOptions {
  db: OwnerDatabase;
  log: Log;
  observe: Observe;
  /** Told after how many seconds a job that failed is due again. */
  onPostponed(seconds: number): void;
  /** Told that the database could not be asked. */
  onUnreachable(): void;
}

export interface Lane {
  /** Takes up what is due; resolves when nothing more can be taken up, while runs may be under way. */
  fill(): Promise<void>;
  /** Waits for the runs under way; resolves with how many have succeeded since it was last asked. */
  settled(): Promise<number>;
  /** Takes up nothing more. */
  close(): void;
}

const PROLONG_MS = (CLAIM_SECONDS * 1_000) / 3;

/** Seconds until the attempt after this one. */
const pauseAfter = ({ first, longest }: Retry, attempt: number) =>
  Math.min(first * 2 ** (attempt - 1), longest);

export function createLane(job: Job, { db, log, observe, onPostponed, onUnreachable }: LaneOptions): Lane {
  const runs = new Set<Promise<void>>();
  let turn: string | null = null;
  let wanted = false;
  let pumping: Promise<void> | null = null;
  let closed = false;
  let succeeded = 0;

  const describe = ({ mandant_id, auftrag_id, versuche }: Claim) => ({
    job: job.id,
    ...(mandant_id === INSTALLATION ? {} : { mandant: mandant_id }),
    auftrag: auftrag_id,
    attempt: versuche,
  });

  const noteDone = async (held: Claim, done: Done, seconds: number): Promise<JobOutcome> => {
    await remove(db, held);
    succeeded += 1;
    log.info({ ...describe(held), ms: Math.round(seconds * 1_000), ...done }, 'job done');
    return 'done';
  };

  const noteFailure = async (held: Claim, error: unknown): Promise<JobOutcome> => {
    const reason = reasonOf(error);
    // Not the error itself: the fields of a foreign one may hold addresses.
    const stack = error instanceof Error ? error.stack : undefined;
    if (error instanceof GiveUp || held.versuche >= job.retry.attempts) {
      await giveUp(db, held, reason);
      log.error({ ...describe(held), reason, stack }, 'job given up');
      return 'given_up';
    }
    const pause = pauseAfter(job.retry, held.versuche);
    await postpone(db, held, reason, pause, error instanceof TryAgain ? error.latest : null);
    log.warn({ ...describe(held), reason, stack }, 'job failed');
    onPostponed(pause);
    return 'failed';
  };

  /** Attempts are counted when they begin: a job that takes its process down each time ends here, too. */
  const run = async (held: Claim): Promise<Done> => {
    if (held.versuche > job.retry.attempts) throw new GiveUp('the last attempt ended without an outcome');
    return job.run(held);
  };

  const work = async (held: Claim): Promise<void> => {
    const hold = setInterval(() => {
      prolong(db, held).catch((error: unknown) => log.warn({ ...describe(held), err: error }, 'claim'));
    }, PROLONG_MS);
    const started = performance.now();
    const ended = await run(held).then(
      (done) => ({ done }),
      (failure: unknown) => ({ failure }),
    );
    const seconds = (performance.now() - started) / 1_000;
    clearInterval(hold);
    try {
      const outcome =
        'done' in ended ? await noteDone(held, ended.done, seconds) : await noteFailure(held, ended.failure);
      observe({ kind: 'job', job: job.id, outcome, seconds });
    } catch (error) {
      // The claim lapses, and the job is run again.
      log.warn({ ...describe(held), err: error }, 'outcome of a job not noted');
    }
  };

  const pump = async (): Promise<void> => {
    while (wanted && !closed) {
      wanted = false;
      while (!closed && runs.size < job.concurrency) {
        const held = await claim(db, job, turn);
        if (!held) break;
        turn = held.mandant_id;
        const under = work(held).finally(() => {
          runs.delete(under);
          void fill();
        });
        runs.add(under);
      }
    }
  };

  const fill = async (): Promise<void> => {
    wanted = true;
    pumping ??= pump()
      .catch((error: unknown) => {
        log.warn({ job: job.id, err: error }, 'jobs not reached');
        wanted = false;
        onUnreachable();
      })
      .finally(() => {
        pumping = null;
        // Asked for while it was ending.
        if (wanted && !closed) void fill();
      });
    await pumping;
  };

  return {
    fill,
    async settled() {
      while (runs.size > 0 || pumping) await Promise.all([...runs, pumping]);
      const count = succeeded;
      succeeded = 0;
      return count;
    },
    close() {
      closed = true;
    },
  };
}
