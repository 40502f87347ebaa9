import { forEveryMandant, type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';
import { readNeededFrom, removeHours } from '../owner/hours.ts';
import { hoursKeptFrom } from '../rules.ts';

const MANDANTEN = 'SELECT mandant_id FROM mandanten ORDER BY mandant_id';

/** Removes sums by the hour that neither limits nor rules need any more; pieces of calls have what they were of. */
export const stundenEntfernenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'aufbewahrung.stunden_entfernen',
    cron: '53 3 * * *',
    atStart: false,
    async run() {
      const passed = await passedBefore(owner, 0);
      if (passed === null) return { summen: 0 };
      const counts = await forEveryMandant({ owner, log }, MANDANTEN, async (mandant) => {
        const from = await readNeededFrom(owner, mandant, hoursKeptFrom(passed), passed.toISOString());
        return removeHours(owner, mandant, from);
      });
      return { summen: counts.reduce((sum, count) => sum + count, 0) };
    },
  });
