import { Type, uuid } from '#contracts';
import { isPassing } from '#domains/zaehlung/index.ts';
import { defineJob, enqueueFor, handle, type JobContext } from '#jobs/index.ts';
import { giveUp, workOn } from '../owner/work.ts';

/** Calls of an import are to be counted, or taken back. */
export const IMPORT_ARBEITEN = defineJob({
  id: 'importe.arbeiten',
  version: 1,
  payload: Type.Object({ import_id: uuid() }),
  concurrency: 2,
});

/** Works on it for a while, and puts itself in again where that was not all: others have their turn in between. */
export const arbeitenJob = ({ owner, clock, log }: Pick<JobContext, 'owner' | 'clock' | 'log'>) =>
  handle(
    IMPORT_ARBEITEN,
    async ({ mandant, payload }) => {
      const { import_id: id } = payload;
      const { calls, over } = await workOn({ owner, clock }, mandant, id).catch(async (error: unknown) => {
        // Trouble that passes is tried again.
        if (isPassing(error)) throw error;
        log.error({ mandant, import: id, err: error }, 'import failed');
        await giveUp({ owner, clock }, mandant, id);
        return { calls: 0, over: true };
      });
      if (!over) await owner.transaction((client) => enqueueFor(client, mandant, IMPORT_ARBEITEN, payload));
      return { calls };
    },
    // Trouble that did not pass: another one could not be begun otherwise.
    ({ mandant, payload }) => giveUp({ owner, clock }, mandant, payload.import_id),
  );
