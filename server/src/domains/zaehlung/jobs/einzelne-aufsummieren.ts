import { type JobContext, onSchedule } from '#jobs/index.ts';
import { addUpSingles } from '../write/add-up.ts';

const AT_ONCE = 8;
const WITH_SINGLES = 'SELECT mandant_id FROM zaehlstaende WHERE einzelne > 0 ORDER BY mandant_id';
// Those that are just being counted have their turn the next time.
const LOCK = `SELECT mandant_id FROM zaehlstaende WHERE mandant_id = ANY($1::uuid[]) AND einzelne > 0
  ORDER BY mandant_id FOR UPDATE SKIP LOCKED`;

/** Counting adds up the calls of Mandanten that have many of them; here those of the others, so that they do not pile up. */
export const einzelneAufsummierenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'zaehlung.einzelne_aufsummieren',
    cron: '17 * * * *',
    atStart: false,
    async run() {
      const { rows } = await owner.query<{ mandant_id: string }>(WITH_SINGLES);
      const all = rows.map(({ mandant_id: mandant }) => mandant);
      let mandanten = 0;
      while (all.length > 0) {
        const some = all.splice(0, AT_ONCE);
        mandanten += await owner.transaction(async (client) => {
          const locked = await client.query<{ mandant_id: string }>(LOCK, [some]);
          if (locked.rows.length > 0)
            await addUpSingles(
              client,
              locked.rows.map(({ mandant_id: mandant }) => mandant),
            );
          return locked.rows.length;
        });
      }
      return { mandanten };
    },
  });
