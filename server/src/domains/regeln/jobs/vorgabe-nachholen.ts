import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { putDefaults } from '../put-defaults.ts';

const WITHOUT = 'SELECT mandant_id FROM mandanten WHERE regeln_angelegt_am IS NULL ORDER BY mandant_id';

/** Mandanten of before there were rules, and those whose own job was given up, get the rules a Mandant begins with. */
export const vorgabeNachholenJob = (context: Pick<JobContext, 'owner' | 'db' | 'clock' | 'log'>) =>
  onSchedule({
    id: 'regeln.vorgabe_nachholen',
    cron: '11 * * * *',
    atStart: true,
    async run() {
      const put = await forEveryMandant(context, WITHOUT, (mandant) => putDefaults(context, mandant));
      return { mandanten: put.filter((rules) => rules > 0).length };
    },
  });
