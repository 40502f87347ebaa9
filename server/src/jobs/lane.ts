/** The runs of one job in this process: claims what is due, as many at a time as the job allows. */
import { type AttemptOptions, attempt } from './attempt.ts';
import type { Job } from './job.ts';
import { claim } from './store.ts';

export interface LaneOptions extends AttemptOptions {
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

export function createLane(job: Job, options: LaneOptions): Lane {
  const runs = new Set<Promise<void>>();
  /** Whose turn it was. */
  let turn: string | null = null;
  let wanted = false;
  let filling: Promise<void> | null = null;
  let closed = false;
  let succeeded = 0;

  /** Claims the next one and begins with it; false when there is none. */
  const take = async (): Promise<boolean> => {
    const held = await claim(options.db, job, options.worker, turn);
    if (!held) return false;
    turn = held.mandant_id;
    const run = attempt(options, job, held).then((outcome) => {
      if (outcome === 'done') succeeded += 1;
      runs.delete(run);
      void fill();
    });
    runs.add(run);
    return true;
  };

  const takeAll = async (): Promise<void> => {
    while (wanted && !closed) {
      wanted = false;
      while (!closed && runs.size < job.concurrency && (await take()));
    }
  };

  const fill = async (): Promise<void> => {
    wanted = true;
    filling ??= takeAll()
      .catch((error: unknown) => {
        options.log.warn({ job: job.id, err: error }, 'jobs not reached');
        wanted = false;
        options.onUnreachable();
      })
      .finally(() => {
        filling = null;
        // Asked for while it was ending.
        if (wanted && !closed) void fill();
      });
    await filling;
  };

  return {
    fill,
    async settled() {
      while (runs.size > 0 || filling) await Promise.all([...runs, filling]);
      const count = succeeded;
      succeeded = 0;
      return count;
    },
    close() {
      closed = true;
    },
  };
}
