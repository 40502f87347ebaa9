/** What is kept of requests. Runs as the owner. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

/** In one transaction. */
const AT_ONCE = 5_000;

// What waits for a person stays; of an account that is a hundred at most.
const DECIDED = `DELETE FROM antraege WHERE mandant_id = $1 AND antrag_id IN (
  SELECT antrag_id FROM antraege WHERE mandant_id = $1 AND status <> 'offen' AND entschieden_am < $2 LIMIT ${AT_ONCE})`;

/** Removes what was decided before then, piece by piece; resolves with how many. */
export async function removeDecided(owner: OwnerDatabase, mandant: string, before: Date): Promise<number> {
  let removed = 0;
  for (let rows = AT_ONCE; rows === AT_ONCE; removed += rows)
    rows = (await owner.query(DECIDED, [mandant, before.toISOString()])).rowCount ?? 0;
  return removed;
}
