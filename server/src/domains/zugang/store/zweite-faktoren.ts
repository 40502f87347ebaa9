/** SQL of second factors and recovery codes. Instants go in and come out as ISO 8601 in UTC. */
import type { MandantTx } from '#platform/database/index.ts';

export interface ZweiterFaktorRow {
  /** Seed, sealed. */
  geheimnis: Buffer;
  /** Null while it is being set up and not asked for. */
  bestaetigt_am: string | null;
}

/** Begins anew what is not confirmed; false when there is a confirmed one, which stays. */
export async function putZweiterFaktor(
  tx: MandantTx,
  faktor: { mandant_id: string; benutzer_id: string; geheimnis: Buffer; erstellt_am: string },
): Promise<boolean> {
  const { geheimnis, erstellt_am } = faktor;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('zweite_faktoren')
    .values(faktor)
    .onConflict((conflict) =>
      conflict
        .columns(['mandant_id', 'benutzer_id'])
        .doUpdateSet({ geheimnis, erstellt_am })
        .where('zweite_faktoren.bestaetigt_am', 'is', null),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export function readZweiterFaktor(tx: MandantTx, benutzerId: string): Promise<ZweiterFaktorRow | undefined> {
  return tx
    .selectFrom('zweite_faktoren')
    .select(['geheimnis', 'bestaetigt_am'])
    .where('benutzer_id', '=', benutzerId)
    .executeTakeFirst();
}

/** `schritt` is the step of the code that confirmed it: that code is used up. */
export async function confirmZweiterFaktor(
  tx: MandantTx,
  benutzerId: string,
  now: string,
  schritt: number,
): Promise<void> {
  await tx
    .updateTable('zweite_faktoren')
    .set({ bestaetigt_am: now, letzter_schritt: schritt })
    .where('benutzer_id', '=', benutzerId)
    .execute();
}

/** Uses up a time step and all before it; false when it was used up already. Of several at once one gets true. */
export async function takeSchritt(tx: MandantTx, benutzerId: string, schritt: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('zweite_faktoren')
    .set({ letzter_schritt: schritt })
    .where('benutzer_id', '=', benutzerId)
    .where((eb) => eb.or([eb('letzter_schritt', 'is', null), eb('letzter_schritt', '<', schritt)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** False when there was no confirmed one. Recovery codes go with it. */
export async function deleteZweiterFaktor(tx: MandantTx, benutzerId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('zweite_faktoren')
    .where('benutzer_id', '=', benutzerId)
    .where('bestaetigt_am', 'is not', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await tx.deleteFrom('wiederherstellungscodes').where('benutzer_id', '=', benutzerId).execute();
  return true;
}

/** Takes the place of all earlier ones of the user. */
export async function replaceWiederherstellungscodes(
  tx: MandantTx,
  mandant_id: string,
  benutzer_id: string,
  hashes: Buffer[],
): Promise<void> {
  await tx.deleteFrom('wiederherstellungscodes').where('benutzer_id', '=', benutzer_id).execute();
  await tx
    .insertInto('wiederherstellungscodes')
    .values(hashes.map((hash) => ({ mandant_id, benutzer_id, hash })))
    .execute();
}

/** Uses up a recovery code; false when there is none or it was used already. Of several at once one gets true. */
export async function takeWiederherstellungscode(
  tx: MandantTx,
  benutzerId: string,
  hash: Buffer,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('wiederherstellungscodes')
    .set({ benutzt_am: now })
    .where('benutzer_id', '=', benutzerId)
    .where('hash', '=', hash)
    .where('benutzt_am', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
