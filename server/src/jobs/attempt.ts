/** One run of a claimed job, and the note of how it ended. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import type { JobOutcome, Observe } from '#platform/metrics.ts';
import { GiveUp, reasonOf, TryAgain } from './failure.ts';
import type { Claim, Done, Job, Retry } from './job.ts';
import { giveUp, INSTALLATION, postpone, prolong, remove, type Worker } from './store.ts';

export interface AttemptOptions {
  db: OwnerDatabase;
  log: Log;
  observe: Observe;
  worker: Worker;
  /** Told after how many seconds a job that failed is due again. */
  onPostponed(seconds: number): void;
}

/** Seconds until the attempt after this one. */
const pauseAfter = ({ first, longest }: Retry, attempt: number) =>
  Math.min(first * 2 ** (attempt - 1), longest);

const describe = ({ id }: Job, { mandant_id, auftrag_id, versuche }: Claim) => ({
  job: id,
  ...(mandant_id === INSTALLATION ? {} : { mandant: mandant_id }),
  auftrag: auftrag_id,
  attempt: versuche,
});

/** Attempts are counted when they begin: a job that takes its process down each time ends here, too. */
async function run(job: Job, held: Claim): Promise<Done> {
  if (held.versuche > job.retry.attempts) throw new GiveUp('the last attempt ended without an outcome');
  return job.run(held);
}

async function noteFailure(
  { db, log, onPostponed }: AttemptOptions,
  job: Job,
  held: Claim,
  error: unknown,
): Promise<JobOutcome> {
  const reason = reasonOf(error);
  // Not the error itself: the fields of a foreign one may hold addresses.
  const entry = { ...describe(job, held), reason, stack: error instanceof Error ? error.stack : undefined };
  if (error instanceof GiveUp || held.versuche >= job.retry.attempts) {
    await job.onGivenUp?.(held);
    await giveUp(db, held, reason);
    log.error(entry, 'job given up');
    return 'given_up';
  }
  const again = error instanceof TryAgain ? error : null;
  const pause = Math.max(pauseAfter(job.retry, held.versuche), again?.atLeast ?? 0);
  await postpone(db, held, reason, pause, again?.latest ?? null);
  log.warn(entry, 'job failed');
  onPostponed(pause);
  return 'failed';
}

/** Runs it under its claim and notes the outcome: null when that could not be noted, and the claim lapses. */
export async function attempt(options: AttemptOptions, job: Job, held: Claim): Promise<JobOutcome | null> {
  const { db, log, observe, worker } = options;
  const hold = setInterval(
    () => {
      prolong(db, held, worker).catch((error: unknown) =>
        log.warn({ ...describe(job, held), err: error }, 'claim'),
      );
    },
    (worker.claimSeconds * 1_000) / 3,
  );
  const started = performance.now();
  const ended = await run(job, held).then(
    (done) => ({ done }),
    (failure: unknown) => ({ failure }),
  );
  const ms = Math.round(performance.now() - started);
  clearInterval(hold);
  try {
    let outcome: JobOutcome = 'done';
    if ('failure' in ended) outcome = await noteFailure(options, job, held, ended.failure);
    else {
      await remove(db, held);
      log.info({ ...describe(job, held), ms, ...ended.done }, 'job done');
    }
    observe({ kind: 'job', job: job.id, outcome, seconds: ms / 1_000 });
    return outcome;
  } catch (error) {
    log.warn({ ...describe(job, held), err: error }, 'outcome of a job not noted');
    return null;
  }
}
