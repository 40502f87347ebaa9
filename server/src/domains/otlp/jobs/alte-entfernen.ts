import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { KEPT_HOURS } from '../limits.ts';
import { removeOld } from '../store.ts';

const HOUR_MS = 3_600_000;
const OLD = `SELECT DISTINCT mandant_id FROM otlp_spuren WHERE empfangen_am < now() - interval '${KEPT_HOURS} hours'`;

/** Removes what was told a day ago: nothing that is late changes its calls any more. They stay counted. */
export const alteEntfernenJob = (context: Pick<JobContext, 'owner' | 'db' | 'log' | 'clock'>) =>
  onSchedule({
    id: 'otlp.alte_entfernen',
    cron: '47 * * * *',
    atStart: false,
    run: async () => {
      const before = new Date(context.clock.now().getTime() - KEPT_HOURS * HOUR_MS);
      const removed = await forEveryMandant(context, OLD, (mandant) =>
        context.db.forMandant(mandant, (tx) => removeOld(tx, before)),
      );
      return { entfernt: removed.reduce((sum, each) => sum + each, 0) };
    },
  });
