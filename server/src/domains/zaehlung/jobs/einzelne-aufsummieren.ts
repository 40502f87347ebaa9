import { type JobContext, onSchedule } from '#jobs/index.ts';
import { addUpSingles } from '../write/add-up.ts';

const WITH_SINGLES = 'SELECT mandant_id FROM zaehlstaende WHERE einzelne > 0 ORDER BY mandant_id';
// Those that are just being counted have their turn the next time.
const LOCK = 'SELECT FROM zaehlstaende WHERE mandant_id = $1 AND einzelne > 0 FOR UPDATE SKIP LOCKED';

/** Counting adds up the calls of Mandanten that have many of them; here those of the others, so that they do not pile up. */
export const einzelneAufsummierenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'zaehlung.einzelne_aufsummieren',
    cron: '17 * * * *',
    atStart: false,
    async run() {
      const { rows } = await owner.query<{ mandant_id: string }>(WITH_SINGLES);
      let mandanten = 0;
      for (const { mandant_id: mandant } of rows)
        mandanten += await owner.transaction(async (client) => {
          const { rowCount } = await client.query(LOCK, [mandant]);
          if (!rowCount) return 0;
          await addUpSingles(client, mandant);
          return 1;
        });
      return { mandanten };
    },
  });
