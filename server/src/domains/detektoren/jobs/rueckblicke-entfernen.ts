import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { deleteExpired } from '../store.ts';

const MANDANTEN = 'SELECT mandant_id FROM mandanten ORDER BY mandant_id';

/** Removes looks back an hour after they were asked for. */
export const rueckblickeEntfernenJob = (context: Pick<JobContext, 'owner' | 'db' | 'log' | 'clock'>) =>
  onSchedule({
    id: 'detektoren.rueckblicke_entfernen',
    cron: '27 * * * *',
    atStart: false,
    run: async () => {
      const now = context.clock.now();
      const removed = await forEveryMandant(context, MANDANTEN, (mandant) =>
        context.db.forMandant(mandant, (tx) => deleteExpired(tx, now)),
      );
      return { entfernt: removed.reduce((sum, each) => sum + each, 0) };
    },
  });
