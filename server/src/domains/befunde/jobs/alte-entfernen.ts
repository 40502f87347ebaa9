import { forEveryMandant, type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';
import { KEPT_DAYS, removeOld } from '../owner/remove-old.ts';

const MANDANTEN = 'SELECT mandant_id FROM mandanten ORDER BY mandant_id';

/** Removes findings, incidents and interventions that are over for more than a year. */
export const alteEntfernenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'befunde.alte_entfernen',
    cron: '51 3 * * *',
    atStart: false,
    run: async () => {
      const before = await passedBefore(owner, KEPT_DAYS * 24);
      if (before === null) return { entfernt: 0 };
      const removed = await forEveryMandant({ owner, log }, MANDANTEN, (mandant) =>
        removeOld(owner, mandant, before),
      );
      return { entfernt: removed.reduce((sum, rows) => sum + rows, 0) };
    },
  });
