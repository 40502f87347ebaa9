import { forEveryMandant, type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';
import { UNCONFIRMED_HOURS, UNDO_DAYS } from '../limits.ts';
import { forgetCalls, removeUnconfirmed } from '../owner/remove-old.ts';

const MANDANTEN = 'SELECT DISTINCT mandant_id FROM importe ORDER BY mandant_id';

/** Removes what was read and not confirmed, and forgets which calls old imports have brought: their receipts stay. */
export const alteEntfernenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'importe.alte_entfernen',
    cron: '13 4 * * *',
    atStart: false,
    run: async () => {
      const unconfirmed = await passedBefore(owner, UNCONFIRMED_HOURS);
      const undoable = await passedBefore(owner, UNDO_DAYS * 24);
      const removed = await forEveryMandant({ owner, log }, MANDANTEN, async (mandant) => {
        const imports = unconfirmed === null ? 0 : await removeUnconfirmed(owner, mandant, unconfirmed);
        if (undoable !== null) await forgetCalls(owner, mandant, undoable);
        return imports;
      });
      return { entfernt: removed.reduce((sum, rows) => sum + rows, 0) };
    },
  });
