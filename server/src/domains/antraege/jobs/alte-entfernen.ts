import { KEPT_DAYS } from '#domains/befunde/index.ts';
import { forEveryMandant, type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';
import { removeDecided } from '../owner/remove-old.ts';

const MANDANTEN = 'SELECT DISTINCT mandant_id FROM antraege ORDER BY mandant_id';

/** Removes requests that were decided more than a year ago: they are kept as long as the findings and interventions they are about. */
export const alteEntfernenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'antraege.alte_entfernen',
    cron: '57 3 * * *',
    atStart: false,
    run: async () => {
      const before = await passedBefore(owner, KEPT_DAYS * 24);
      if (before === null) return { entfernt: 0 };
      const removed = await forEveryMandant({ owner, log }, MANDANTEN, (mandant) =>
        removeDecided(owner, mandant, before),
      );
      return { entfernt: removed.reduce((sum, rows) => sum + rows, 0) };
    },
  });
