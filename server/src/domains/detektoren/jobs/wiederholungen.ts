import { wiederholungen } from '#domains/zaehlung/index.ts';
import { handle, type JobContext } from '#jobs/index.ts';
import { readRepeats } from '../owner/repeats.ts';

/** Reads the calls of the run: which are repeats, and what was found of them. */
export const wiederholungenJob = ({ owner, clock }: Pick<JobContext, 'owner' | 'clock'>) =>
  handle(wiederholungen, async ({ mandant, payload }) => ({
    geaendert: await owner.transaction((client) =>
      readRepeats(client, mandant, payload.lauf_id, clock.now()),
    ),
  }));
