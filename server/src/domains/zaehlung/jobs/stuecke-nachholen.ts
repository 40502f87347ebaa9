import { type JobContext, onSchedule } from '#jobs/index.ts';
import { makePiecesAnew } from '../pieces-anew.ts';

/** What a former release counted, before the upgrade or beside it, gets pieces, too. */
export const stueckeNachholenJob = (context: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'zaehlung.stuecke_nachholen',
    cron: '*/10 * * * *',
    atStart: true,
    run: async () => ({ mandanten: await makePiecesAnew(context) }),
  });
