import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

const MANDANTEN = 'SELECT mandant_id FROM mandanten ORDER BY mandant_id';

/** Findings whose savings go in one statement. */
const AT_ONCE = 1_000;

// A finding that was ignored may be taken up again, so its savings stay; one that was withdrawn and holds again has its days read anew.
const GONE = `SELECT DISTINCT z.befund_id FROM zwilling_ersparnisse z
  WHERE z.mandant_id = $1 AND NOT EXISTS (
    SELECT FROM befunde b WHERE b.mandant_id = $1 AND b.befund_id = z.befund_id AND b.status <> 'hinfaellig')
  LIMIT ${AT_ONCE}`;
const REMOVE = 'DELETE FROM zwilling_ersparnisse WHERE mandant_id = $1 AND befund_id = ANY ($2::uuid[])';

async function removeSavings(owner: OwnerDatabase, mandant: MandantId): Promise<number> {
  let removed = 0;
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    const { rows } = await owner.query<{ befund_id: string }>(GONE, [mandant]);
    found = rows.length;
    const gone = rows.map(({ befund_id }) => befund_id);
    if (found > 0) removed += (await owner.query(REMOVE, [mandant, gone])).rowCount ?? 0;
  }
  return removed;
}

/** Removes savings whose finding is gone (400 days after it was over) or was withdrawn: they are in no answer any more. */
export const alteEntfernenJob = ({ owner, log }: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'zwilling.alte_entfernen',
    cron: '1 4 * * *',
    atStart: false,
    run: async () => {
      const removed = await forEveryMandant({ owner, log }, MANDANTEN, (mandant) =>
        removeSavings(owner, mandant),
      );
      return { entfernt: removed.reduce((sum, rows) => sum + rows, 0) };
    },
  });
