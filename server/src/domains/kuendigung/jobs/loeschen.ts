import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { dueBefore, IS_DUE, removeMandant } from '../owner/removal.ts';

const DUE = `SELECT mandant_id FROM mandanten WHERE ${IS_DUE}`;

/** Thirty days after a cancellation everything of the Mandant goes; only the receipt of it stays, for the operator. */
export const loeschenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'kuendigung.konten_loeschen',
    cron: '43 3 * * *',
    atStart: true,
    async run() {
      const remove = async (mandant: MandantId) => {
        if (!(await removeMandant(owner, mandant))) return false;
        log.info({ mandant }, 'Mandant removed');
        return true;
      };
      const removed = await forEveryMandant({ owner, log }, DUE, remove, [await dueBefore(owner)]);
      return { geloescht: removed.filter(Boolean).length };
    },
  });
