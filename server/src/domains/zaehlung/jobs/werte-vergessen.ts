import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { lockCounting } from '../change-calls.ts';
import { ANOTHER_CHOICE } from '../keep-values.ts';

const DAYS = 40;
const WITH_OLD = `SELECT DISTINCT mandant_id FROM verbrauch_gefuehrt WHERE gebraucht_am < current_date - ${DAYS} ORDER BY mandant_id`;
const FORGET = `DELETE FROM verbrauch_gefuehrt WHERE mandant_id = $1 AND gebraucht_am < current_date - ${DAYS}
  RETURNING dimension, text`;
const removeFrom = (table: string) => `DELETE FROM ${table} v USING merkmale m
  WHERE v.mandant_id = $1 AND m.mandant_id = $1 AND m.dimension = $2 AND m.text = ANY($3::text[])
    AND v.dimension = $2 AND v.merkmal_id = m.merkmal_id`;
const REMOVE = ['verbrauch_laufend_minute', 'verbrauch_laufend_stunde'].map(removeFrom);

/** Values that nobody has asked for lately have running sums no more. */
export const werteVergessenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'zaehlung.werte_vergessen',
    cron: '51 4 * * *',
    atStart: false,
    async run() {
      const forgotten = await forEveryMandant({ owner, log }, WITH_OLD, (mandant) =>
        owner.transaction(async (client) => {
          if (!(await lockCounting(client, mandant))) return 0;
          const { rows } = await client.query<{ dimension: number; text: string }>(FORGET, [mandant]);
          for (const [dimension, values] of Map.groupBy(rows, (row) => row.dimension))
            for (const statement of REMOVE)
              await client.query(statement, [mandant, dimension, values.map(({ text }) => text)]);
          await client.query(ANOTHER_CHOICE, [mandant]);
          return rows.length;
        }),
      );
      return { vergessen: forgotten.reduce((sum, count) => sum + count, 0) };
    },
  });
