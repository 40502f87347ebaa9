import Type from 'typebox';
import { uuid } from '#contracts';
import { defineJob, handle, type Job, type JobContext } from '#jobs/index.ts';
import { deliver } from '../service/deliver.ts';

/**
 * Delivers an alarm through one channel. It is tried for a day, and the row says how that ended; what else fails, as a key that
 * does not open the addresses, is given up by the attempts.
 */
export const zustellen = defineJob({
  id: 'alarme.zustellen',
  version: 1,
  payload: Type.Object({ zustellung_id: uuid() }),
  retry: { first: 30, longest: 4 * 3_600, attempts: 40 },
  // They wait for others, who may be slow.
  concurrency: 8,
});

export const zustellenJob = (context: Omit<JobContext, 'owner' | 'mailer'>): Job =>
  handle(zustellen, ({ mandant, payload }) => deliver(context, mandant, payload.zustellung_id));
