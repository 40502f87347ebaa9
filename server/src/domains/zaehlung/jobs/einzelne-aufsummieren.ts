import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { addUpSingles } from '../write/add-up.ts';

const WITH_SINGLES = 'SELECT mandant_id FROM zaehlstaende WHERE einzelne > 0 ORDER BY mandant_id';

/** Counting adds up the calls of Mandanten that have many of them; here those of the others, so that they do not pile up. */
export const einzelneAufsummierenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'zaehlung.einzelne_aufsummieren',
    cron: '17 * * * *',
    atStart: false,
    async run() {
      const done = await forEveryMandant({ owner, log }, WITH_SINGLES, (mandant) =>
        addUpSingles(owner, mandant),
      );
      return { mandanten: done.filter(Boolean).length };
    },
  });
