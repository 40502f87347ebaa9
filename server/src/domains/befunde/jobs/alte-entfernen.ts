import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { removeOld } from '../owner/remove-old.ts';

const MANDANTEN = 'SELECT mandant_id FROM mandanten ORDER BY mandant_id';

/** Removes findings, incidents and interventions that are over for more than a year. */
export const alteEntfernenJob = ({ owner, log, clock }: Pick<JobContext, 'owner' | 'log' | 'clock'>) =>
  onSchedule({
    id: 'befunde.alte_entfernen',
    cron: '51 3 * * *',
    atStart: false,
    run: async () => {
      const removed = await forEveryMandant({ owner, log }, MANDANTEN, (mandant) =>
        removeOld(owner, mandant, clock.now()),
      );
      return { entfernt: removed.reduce((sum, rows) => sum + rows, 0) };
    },
  });
