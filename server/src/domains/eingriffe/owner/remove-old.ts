import type { MandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

const AT_ONCE = 5_000;
const OVER = `DELETE FROM eingriffe WHERE mandant_id = $1 AND eingriff_id IN (
  SELECT eingriff_id FROM eingriffe
  WHERE mandant_id = $1 AND beginn < $2 AND (schatten OR least(aufgehoben_am, bis) < $2) LIMIT ${AT_ONCE})`;

/** Removes interventions that were over before then, piece by piece; resolves with how many. Runs as the owner. */
export async function removeOldEingriffe(
  owner: OwnerDatabase,
  mandant: MandantId,
  before: Date,
): Promise<number> {
  let removed = 0;
  for (let rows = AT_ONCE; rows === AT_ONCE; removed += rows)
    rows = (await owner.query(OVER, [mandant, before])).rowCount ?? 0;
  return removed;
}
