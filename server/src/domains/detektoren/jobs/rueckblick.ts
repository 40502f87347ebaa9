import { Type, uuid } from '#contracts';
import type { PriceList } from '#domains/preise/index.ts';
import { defineJob, handle, type JobContext } from '#jobs/index.ts';
import { runLookBack } from '../owner/run-rueckblick.ts';

/** A rule is to be held against past days. The user waits: a failure is shown, and tried once more only where it could not be. */
export const RUECKBLICK = defineJob({
  id: 'detektoren.rueckblick',
  version: 1,
  payload: Type.Object({ rueckblick_id: uuid() }),
  retry: { first: 5, longest: 5, attempts: 2 },
});

/** Works it out, day by day, and notes how far it has come. */
export const rueckblickJob = (context: Pick<JobContext, 'owner' | 'log' | 'clock'>, prices: PriceList) =>
  handle(RUECKBLICK, async ({ mandant, payload }) => ({
    ende: await runLookBack({ ...context, prices }, mandant, payload.rueckblick_id),
  }));
