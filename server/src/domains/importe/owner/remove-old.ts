/** SQL of imports that are over. Runs as the owner. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

const OLD = `SELECT import_id FROM importe WHERE mandant_id = $1 AND status IN ('liest', 'bereit') AND angelegt_am < $2`;
const PARTS = 'DELETE FROM import_teile WHERE mandant_id = $1 AND import_id = $2';
const IMPORT = `DELETE FROM importe WHERE mandant_id = $1 AND import_id = $2 AND status IN ('liest', 'bereit')`;

/** Removes what was begun before and never confirmed; resolves with how many. */
export async function removeUnconfirmed(db: OwnerDatabase, mandant: string, before: Date): Promise<number> {
  const { rows } = await db.query<{ import_id: string }>(OLD, [mandant, before.toISOString()]);
  for (const { import_id } of rows)
    await db.transaction(async (client) => {
      const { rowCount } = await client.query(IMPORT, [mandant, import_id]);
      if (rowCount) await client.query(PARTS, [mandant, import_id]);
    });
  return rows.length;
}

const OVER = `SELECT import_id FROM importe i WHERE mandant_id = $1 AND status IN ('fertig', 'fehlgeschlagen') AND angewendet_am < $2
  AND EXISTS (SELECT FROM import_aufrufe a WHERE a.mandant_id = $1 AND a.import_id = i.import_id)`;
const FORGET = `DELETE FROM import_aufrufe WHERE mandant_id = $1 AND import_id = $2 AND ereignis_id IN (
    SELECT ereignis_id FROM import_aufrufe WHERE mandant_id = $1 AND import_id = $2 LIMIT 5000)`;

/** Forgets which calls came by imports that were confirmed before: they cannot be taken back any more. */
export async function forgetCalls(db: OwnerDatabase, mandant: string, before: Date): Promise<void> {
  const { rows } = await db.query<{ import_id: string }>(OVER, [mandant, before.toISOString()]);
  for (const { import_id } of rows)
    for (let forgotten = 1; forgotten > 0; )
      forgotten = (await db.query(FORGET, [mandant, import_id])).rowCount ?? 0;
}
