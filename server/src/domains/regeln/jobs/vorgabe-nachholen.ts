import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { GIVEN_LATER } from '../defaults.ts';
import { putDefaults, putLater } from '../put-defaults.ts';

const WITHOUT = 'SELECT mandant_id FROM mandanten WHERE regeln_angelegt_am IS NULL ORDER BY mandant_id';
const LATER = `SELECT mandant_id FROM mandanten
  WHERE regeln_angelegt_am IS NOT NULL AND NOT regeln_nachgereicht @> '{${GIVEN_LATER.join(',')}}' ORDER BY mandant_id`;

/**
 * Mandanten of before there were rules, and those whose own job was given up, get the rules a Mandant begins with; those that have them get
 * what came with later releases.
 */
export const vorgabeNachholenJob = (context: Pick<JobContext, 'owner' | 'db' | 'clock' | 'log'>) =>
  onSchedule({
    id: 'regeln.vorgabe_nachholen',
    cron: '11 * * * *',
    atStart: true,
    async run() {
      const put = await forEveryMandant(context, WITHOUT, (mandant) => putDefaults(context, mandant));
      const later = await forEveryMandant(context, LATER, (mandant) => putLater(context, mandant));
      const count = (done: number[]) => done.filter((rules) => rules > 0).length;
      return { mandanten: count(put), nachgereicht: count(later) };
    },
  });
