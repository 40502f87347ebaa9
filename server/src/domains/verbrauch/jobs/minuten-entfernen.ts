import { DIMENSIONS } from '#contracts';
import { CERTAIN_AFTER_HOURS, type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';
import { MINUTE_HOURS, TOTAL } from '../rollup.ts';

const NUMBERS = [TOTAL.dimension, ...Object.values(DIMENSIONS).map(({ number }) => number)];

/** Minutes of which one statement removes all sums; each has some for every value that was called with in it. */
const BATCH = 50;

/** Which minutes there are follows from their totals, which go in the same statement. */
const REMOVE = `
  DELETE FROM verbrauch_laufend_minute v USING (
    SELECT m.mandant_id, m.minute FROM zaehlstaende z CROSS JOIN LATERAL (
      SELECT mandant_id, minute FROM verbrauch_laufend_minute
      WHERE mandant_id = z.mandant_id AND dimension = ${TOTAL.dimension} AND minute < $1
      ORDER BY minute LIMIT ${BATCH}) AS m
    LIMIT ${BATCH}) AS expired
  WHERE v.mandant_id = expired.mandant_id AND v.dimension = ANY('{${NUMBERS.join(',')}}') AND v.minute = expired.minute`;

/** Running sums by the minute are kept for 48 hours at least. */
export const minutenEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'verbrauch.minuten_entfernen',
    cron: '*/10 * * * *',
    atStart: true,
    async run() {
      const before = await passedBefore(owner, MINUTE_HOURS - CERTAIN_AFTER_HOURS);
      let removed = 0;
      for (;;) {
        const { rowCount } = await owner.query(REMOVE, [before]);
        if (!rowCount) return { entfernt: removed };
        removed += rowCount;
      }
    },
  });
