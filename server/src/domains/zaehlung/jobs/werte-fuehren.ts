import { Type } from '#contracts';
import { defineJob, handle, type Job, type JobContext } from '#jobs/index.ts';
import { makeAsked } from '../keep-values.ts';

/** Values were asked for that have no running sums. */
export const werteFuehren = defineJob({
  id: 'zaehlung.werte_fuehren',
  version: 1,
  payload: Type.Object({}),
  retry: { first: 1, longest: 60, attempts: 20 },
});

/** Makes the running sums of values that were asked for. What cannot be made for now is asked for again by who needs it. */
export const werteFuehrenJob = ({ owner }: Pick<JobContext, 'owner'>): Job =>
  handle(werteFuehren, async ({ mandant }) => ({ fertig: await makeAsked(owner, mandant) }));
