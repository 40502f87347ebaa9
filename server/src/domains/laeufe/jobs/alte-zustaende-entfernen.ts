import { type JobContext, onSchedule } from '#jobs/index.ts';

/** States that one statement removes at most: counting, which may want to change one of them, waits no longer than for that. */
const PORTION = 1_000;

const MANDANTEN = 'SELECT mandant_id FROM mandanten ORDER BY mandant_id';

/**
 * The oldest first: marks are numbered in the order in which states change, so that young states are not read to find old
 * ones. One that counting is just changing is left alone, and neither waits for the other with rows of its own in hand.
 */
const REMOVE = `
  WITH alt AS (
    SELECT lauf_id FROM lauf_zustaende
    WHERE mandant_id = $1 AND geaendert_am < now() - interval '35 days' AND lauf_id IN (
      SELECT lauf_id FROM lauf_zustaende WHERE mandant_id = $1 ORDER BY nummer LIMIT ${PORTION})
    FOR UPDATE SKIP LOCKED)
  DELETE FROM lauf_zustaende z USING alt WHERE z.mandant_id = $1 AND z.lauf_id = alt.lauf_id`;

/** States of runs that have been quiet for 35 days. Whichever goes on after that is read anew. */
export const alteZustaendeEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'laeufe.alte_zustaende_entfernen',
    cron: '53 3 * * *',
    atStart: false,
    async run() {
      let removed = 0;
      const { rows } = await owner.query<{ mandant_id: string }>(MANDANTEN);
      for (const { mandant_id: mandant } of rows) {
        let portion = PORTION;
        while (portion === PORTION) {
          portion = (await owner.query(REMOVE, [mandant])).rowCount ?? 0;
          removed += portion;
        }
      }
      return { entfernt: removed };
    },
  });
