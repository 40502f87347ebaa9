import { type JobContext, onSchedule } from '#jobs/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { release } from './freigeben.ts';

const EXPIRED = 'DELETE FROM postausgang WHERE gehalten AND verfaellt_am <= now()';
const UNUSED = 'DELETE FROM postbudgets WHERE bis < now()';
const HOLDING = 'SELECT DISTINCT mandant_id FROM postausgang WHERE gehalten';

/**
 * Held mail goes when the address is confirmed; this lets go what another way has freed (a new inhaber), and takes away what
 * nobody has confirmed in time, and budgets of which nothing is used.
 */
export const gehaltenesFreigebenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'postausgang.gehaltenes_freigeben',
    cron: '27 * * * *',
    atStart: true,
    async run() {
      const { rowCount: verfallen } = await owner.query(EXPIRED);
      await owner.query(UNUSED);
      const { rows } = await owner.query<{ mandant_id: string }>(HOLDING);
      let freigegeben = 0;
      for (const { mandant_id } of rows)
        freigegeben += await owner.transaction((client) => release(client, mandantId(mandant_id)));
      return { verfallen, freigegeben };
    },
  });
