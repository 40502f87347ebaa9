import { Type, uuid } from '#contracts';
import type { PriceList } from '#domains/preise/index.ts';
import { defineJob, enqueueFor, handle, type JobContext } from '#jobs/index.ts';
import { workOn } from '../owner/work.ts';

/** Calls are to be priced anew, or it is to be worked out what that would change. */
export const NEU_BEPREISEN = defineJob({
  id: 'neubepreisung.rechnen',
  version: 1,
  payload: Type.Object({ neubepreisung_id: uuid() }),
  concurrency: 2,
});

/** Works on it for a while, and puts itself in again where that was not all: others have their turn in between. */
export const rechnenJob = ({ owner, clock }: Pick<JobContext, 'owner' | 'clock'>, list: PriceList) =>
  handle(NEU_BEPREISEN, async ({ mandant, payload }) => {
    const { gelesen, over } = await workOn({ owner, clock, list }, mandant, payload.neubepreisung_id);
    if (!over) await owner.transaction((client) => enqueueFor(client, mandant, NEU_BEPREISEN, payload));
    return { gelesen };
  });
