import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { removeOver } from '../store.ts';

const MANDANTEN = 'SELECT mandant_id FROM mandanten ORDER BY mandant_id';

/** Removes reservations that have lapsed or are booked, of Mandanten that ask for none any more. */
export const verfalleneEntfernenJob = (context: Pick<JobContext, 'owner' | 'db' | 'log' | 'clock'>) =>
  onSchedule({
    id: 'reservierungen.verfallene_entfernen',
    cron: '57 * * * *',
    atStart: false,
    run: async () => {
      const now = context.clock.now();
      const removed = await forEveryMandant(context, MANDANTEN, (mandant) =>
        context.db.forMandant(mandant, (tx) => removeOver(tx, now)),
      );
      return { entfernt: removed.reduce((sum, each) => sum + each, 0) };
    },
  });
