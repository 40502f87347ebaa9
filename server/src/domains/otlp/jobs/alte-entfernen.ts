import { forEveryMandant, type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';
import { KEPT_HOURS } from '../limits.ts';
import { removeOld } from '../store.ts';

const OLD = `SELECT DISTINCT mandant_id FROM otlp_spuren WHERE empfangen_am < now() - interval '${KEPT_HOURS} hours'`;

/** Removes what was told a day ago: nothing that is late changes its calls any more. They stay counted. */
export const alteEntfernenJob = (context: Pick<JobContext, 'owner' | 'db' | 'log'>) =>
  onSchedule({
    id: 'otlp.alte_entfernen',
    cron: '47 * * * *',
    atStart: false,
    run: async () => {
      const before = await passedBefore(context.owner, KEPT_HOURS);
      if (before === null) return { entfernt: 0 };
      const removed = await forEveryMandant(context, OLD, (mandant) =>
        context.db.forMandant(mandant, (tx) => removeOld(tx, before)),
      );
      return { entfernt: removed.reduce((sum, each) => sum + each, 0) };
    },
  });
