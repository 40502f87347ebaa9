import { Type, uuid } from '#contracts';
import type { PriceList } from '#domains/preise/index.ts';
import { isPassing } from '#domains/zaehlung/index.ts';
import { defineJob, enqueueFor, handle, type JobContext } from '#jobs/index.ts';
import { giveUp, workOn } from '../owner/work.ts';

/** Calls are to be priced anew, or it is to be worked out what that would change. */
export const NEU_BEPREISEN = defineJob({
  id: 'neubepreisung.rechnen',
  version: 1,
  payload: Type.Object({ neubepreisung_id: uuid() }),
  concurrency: 2,
});

/** Works on it for a while, and puts itself in again where that was not all: others have their turn in between. */
export const rechnenJob = (
  { owner, clock, log }: Pick<JobContext, 'owner' | 'clock' | 'log'>,
  list: PriceList,
) =>
  handle(
    NEU_BEPREISEN,
    async ({ mandant, payload }) => {
      const { neubepreisung_id: id } = payload;
      const { gelesen, over } = await workOn({ owner, clock, list }, mandant, id).catch(
        async (error: unknown) => {
          // Trouble that passes is tried again.
          if (isPassing(error)) throw error;
          log.error({ mandant, neubepreisung: id, err: error }, 'repricing failed');
          await giveUp({ owner, clock }, mandant, id);
          return { gelesen: 0, over: true };
        },
      );
      if (!over) await owner.transaction((client) => enqueueFor(client, mandant, NEU_BEPREISEN, payload));
      return { gelesen };
    },
    // Trouble that did not pass: another one could not be asked for otherwise.
    ({ mandant, payload }) => giveUp({ owner, clock }, mandant, payload.neubepreisung_id),
  );
