import { Type, uuid } from '#contracts';
import { defineJob, handle, type JobContext } from '#jobs/index.ts';
import { readRepeats } from '../owner/repeats.ts';

/** A run with a loop: which of its calls are repeats is to be read anew. */
export const wiederholungen = defineJob({
  id: 'detektoren.wiederholungen',
  version: 1,
  payload: Type.Object({ lauf_id: uuid() }),
});

/** Reads the calls of the run: which are repeats, and what was found of them. */
export const wiederholungenJob = ({ owner, clock }: Pick<JobContext, 'owner' | 'clock'>) =>
  handle(wiederholungen, async ({ mandant, payload }) => ({
    geaendert: await owner.transaction((client) =>
      readRepeats(client, mandant, payload.lauf_id, clock.now()),
    ),
  }));
