import { type JobContext, onSchedule } from '#jobs/index.ts';
import { divideTokens } from '../divide-tokens.ts';

/** What a former release counted, before the upgrade or beside it, gets the sums that only this one keeps. */
export const tokenAufteilenJob = (context: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'zaehlung.token_aufteilen',
    cron: '26 3 * * *',
    atStart: true,
    run: async () => ({ stunden: await divideTokens(context) }),
  });
