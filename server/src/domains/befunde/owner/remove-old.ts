/** What is kept of findings, and for how long. Runs as the owner. */

import { removeOldEingriffe } from '#domains/eingriffe/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

/** Longer than the comparison of a month with that of the year before. */
export const KEPT_DAYS = 400;
/** In one transaction. */
const AT_ONCE = 5_000;

// What somebody still has to look at stays: open findings, and everything of an open incident.
const FINDINGS = `DELETE FROM befunde WHERE mandant_id = $1 AND befund_id IN (
  SELECT b.befund_id FROM befunde b JOIN vorfaelle v ON v.mandant_id = b.mandant_id AND v.vorfall_id = b.vorfall_id
  WHERE b.mandant_id = $1 AND b.geaendert_am < $2 AND (b.status <> 'offen' OR b.schatten)
    AND (v.status = 'geschlossen' OR b.schatten OR b.status = 'hinfaellig') LIMIT ${AT_ONCE})`;
const INCIDENTS = `DELETE FROM vorfaelle WHERE mandant_id = $1 AND vorfall_id IN (
  SELECT v.vorfall_id FROM vorfaelle v WHERE v.mandant_id = $1 AND v.letzter_befund_am < $2
    AND NOT EXISTS (SELECT FROM befunde b WHERE b.mandant_id = $1 AND b.vorfall_id = v.vorfall_id) LIMIT ${AT_ONCE})`;

/** Removes what was over before then, piece by piece; resolves with how many rows. */
export async function removeOld(owner: OwnerDatabase, mandant: MandantId, before: Date): Promise<number> {
  let removed = 0;
  for (const statement of [FINDINGS, INCIDENTS]) {
    for (let rows = AT_ONCE; rows === AT_ONCE; removed += rows)
      rows = (await owner.query(statement, [mandant, before])).rowCount ?? 0;
  }
  return removed + (await removeOldEingriffe(owner, mandant, before));
}
