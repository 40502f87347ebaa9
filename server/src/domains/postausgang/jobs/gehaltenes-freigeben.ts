import { type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { release } from './freigeben.ts';

const EXPIRED = 'DELETE FROM postausgang WHERE gehalten AND verfaellt_am <= $1';
const UNUSED = 'DELETE FROM postbudgets WHERE bis < $1';
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
      const passed = await passedBefore(owner, 0);
      const verfallen = passed ? (await owner.query(EXPIRED, [passed])).rowCount : 0;
      if (passed) await owner.query(UNUSED, [passed]);
      const { rows } = await owner.query<{ mandant_id: string }>(HOLDING);
      let freigegeben = 0;
      for (const { mandant_id } of rows)
        freigegeben += await owner.transaction((client) => release(client, mandantId(mandant_id)));
      return { verfallen, freigegeben };
    },
  });
