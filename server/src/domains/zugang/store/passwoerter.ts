/** SQL of passwords and reset links. Instants go in and come out as ISO 8601 in UTC. */
import type { MandantTx, RequestClient } from '#platform/database/index.ts';

type Tables = {
  benutzer: {
    mandant_id: string;
    benutzer_id: string;
    email: string;
    passwort_hash: string | null;
    aktiv: boolean;
  };
  passwort_ruecksetzungen: NewRuecksetzung;
};

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
    .withTables<Tables>()
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
    .withTables<Tables>()
    .selectFrom('benutzer')
    .select('benutzer_id')
    .where('benutzer_id', '=', benutzerId)
    .where('passwort_hash', '=', passwortHash)
    .where('aktiv', '=', true)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes logins and changes of the same user wait for the end of this transaction; its address if it is active. */
export function lockBenutzer(tx: MandantTx, benutzerId: string): Promise<{ email: string } | undefined> {
  return tx
    .withTables<Tables>()
    .selectFrom('benutzer')
    .select('email')
    .where('benutzer_id', '=', benutzerId)
    .where('aktiv', '=', true)
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
    .withTables<Tables>()
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
    .withTables<Tables>()
    .updateTable('benutzer')
    .set({ passwort_hash: passwortHash })
    .where('benutzer_id', '=', benutzerId)
    .execute();
}

export async function insertRuecksetzung(tx: MandantTx, ruecksetzung: NewRuecksetzung): Promise<void> {
  await tx.withTables<Tables>().insertInto('passwort_ruecksetzungen').values(ruecksetzung).execute();
}

export async function deleteRuecksetzungen(tx: MandantTx, benutzerId: string): Promise<void> {
  await tx
    .withTables<Tables>()
    .deleteFrom('passwort_ruecksetzungen')
    .where('benutzer_id', '=', benutzerId)
    .execute();
}

/** The Mandant of a reset link, whatever its age. */
export async function findRuecksetzung(
  client: RequestClient,
  hash: Buffer,
): Promise<{ mandant_id: string } | undefined> {
  const { rows } = await client.query<{ mandant_id: string }>('SELECT * FROM zw_ruecksetzung_finden($1)', [
    hash,
  ]);
  return rows[0];
}

/** Whose reset link this is, if it is still valid. */
export async function readRuecksetzung(
  tx: MandantTx,
  hash: Buffer,
  now: string,
): Promise<string | undefined> {
  const row = await tx
    .withTables<Tables>()
    .selectFrom('passwort_ruecksetzungen')
    .select('benutzer_id')
    .where('hash', '=', hash)
    .where('gueltig_bis', '>', now)
    .executeTakeFirst();
  return row?.benutzer_id;
}
