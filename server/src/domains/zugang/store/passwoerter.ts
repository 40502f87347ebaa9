/** SQL of passwords and reset links. Instants go in and come out as ISO 8601 in UTC. */
import type { MandantTx, RequestClient } from '#platform/database/index.ts';

export interface NewRuecksetzung {
  mandant_id: string;
  hash: Buffer;
  benutzer_id: string;
  erstellt_am: string;
  gueltig_bis: string;
}

/** Null for a user without a password. */
export async function readPasswortHash(tx: MandantTx, benutzerId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('benutzer')
    .select('passwort_hash')
    .where('benutzer_id', '=', benutzerId)
    .executeTakeFirst();
  return row?.passwort_hash ?? null;
}

/**
 * Whether the user may still sign in with this password. Until the transaction ends it cannot be changed, nor can a
 * second factor be switched on: what ends all sessions comes wholly before a login, or wholly after it.
 */
export async function holdPasswort(
  tx: MandantTx,
  benutzerId: string,
  passwortHash: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('benutzer')
    .select('benutzer_id')
    .where('benutzer_id', '=', benutzerId)
    .where('passwort_hash', '=', passwortHash)
    .where('aktiv', '=', true)
    .where('email_verloren_am', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes logins and changes of the same user wait for the end of this transaction; its address if it is active. */
export function lockBenutzer(tx: MandantTx, benutzerId: string): Promise<{ email: string } | undefined> {
  return tx
    .selectFrom('benutzer')
    .select('email')
    .where('benutzer_id', '=', benutzerId)
    .where('aktiv', '=', true)
    .where('email_verloren_am', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Sets a new password in place of `before`; false when that is not the password any more. */
export async function replacePasswort(
  tx: MandantTx,
  benutzerId: string,
  before: string,
  after: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('benutzer')
    .set({ passwort_hash: after })
    .where('benutzer_id', '=', benutzerId)
    .where('passwort_hash', '=', before)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Sets a new password, whatever it was, if there was one. */
export async function updatePasswort(tx: MandantTx, benutzerId: string, passwortHash: string): Promise<void> {
  await tx
    .updateTable('benutzer')
    .set({ passwort_hash: passwortHash })
    .where('benutzer_id', '=', benutzerId)
    .execute();
}

export async function insertRuecksetzung(tx: MandantTx, ruecksetzung: NewRuecksetzung): Promise<void> {
  await tx.insertInto('passwort_ruecksetzungen').values(ruecksetzung).execute();
}

export async function deleteRuecksetzungen(tx: MandantTx, benutzerId: string): Promise<void> {
  await tx.deleteFrom('passwort_ruecksetzungen').where('benutzer_id', '=', benutzerId).execute();
}

/** The Mandant of a reset link, whatever its age. */
export const findRuecksetzung = (client: RequestClient, hash: Buffer) =>
  client.ask('zw_ruecksetzung_finden', hash);

/** Whose reset link this is, if it is still valid. */
export async function readRuecksetzung(
  tx: MandantTx,
  hash: Buffer,
  now: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('passwort_ruecksetzungen')
    .select('benutzer_id')
    .where('hash', '=', hash)
    .where('gueltig_bis', '>', now)
    .executeTakeFirst();
  return row?.benutzer_id;
}
