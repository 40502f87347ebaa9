/** SQL of who wants reports and who got which. Instants go in and come out as ISO 8601 in UTC, weeks as their Monday. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';

/** Since when the user gets the weekly report; undefined when switched off. */
export const readAbo = (
  tx: MandantTx,
  benutzerId: string,
): Promise<{ eingeschaltet_am: string } | undefined> =>
  tx
    .selectFrom('bericht_abos')
    .select('eingeschaltet_am')
    .where('benutzer_id', '=', benutzerId)
    .executeTakeFirst();

/** Switches it on; false when it was on. */
export async function insertAbo(tx: MandantTx, benutzerId: string, now: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('bericht_abos')
    .values({ mandant_id: tx.mandant, benutzer_id: benutzerId, eingeschaltet_am: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Switches it off; false when it was off. */
export async function deleteAbo(tx: MandantTx, benutzerId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('bericht_abos')
    .where('benutzer_id', '=', benutzerId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Users who wanted the report before it was due and have not got that of this week. */
export async function listWaiting(tx: MandantTx, woche: string, since: string): Promise<string[]> {
  const { rows } = await sql<{ benutzer_id: string }>`
    SELECT a.benutzer_id FROM bericht_abos a
    WHERE a.mandant_id = ${tx.mandant} AND a.eingeschaltet_am <= ${since}::timestamptz
      AND NOT EXISTS (SELECT FROM bericht_versendungen v WHERE v.mandant_id = a.mandant_id
        AND v.benutzer_id = a.benutzer_id AND v.woche = ${woche}::date)
    ORDER BY a.benutzer_id`.execute(tx);
  return rows.map(({ benutzer_id }) => benutzer_id);
}

/** Takes the report of the week on for a user; false when somebody else has. */
export async function claim(tx: MandantTx, benutzerId: string, woche: string, now: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('bericht_versendungen')
    .values({ mandant_id: tx.mandant, benutzer_id: benutzerId, woche, versendet_am: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
