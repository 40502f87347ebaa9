import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { collect } from '../service/digest.ts';

const DUE = 'SELECT mandant_id FROM alarm_einstellungen WHERE naechste_sammlung <= now() ORDER BY mandant_id';

/** At the end of quiet hours, when it is time for a digest, and shortly after a message: what was held comes in one. */
export const sammelnJob = (context: Omit<JobContext, 'mailer'>) =>
  onSchedule({
    id: 'alarme.sammeln',
    cron: '* * * * *',
    atStart: true,
    async run() {
      const counts = await forEveryMandant(context, DUE, (mandant) => collect(context, mandant));
      return { gesammelt: counts.reduce((sum, count) => sum + count, 0) };
    },
  });
