/** SQL of whose an address is, and of the links that confirm one. Instants go in and come out as ISO 8601 in UTC. */
import { sql } from 'kysely';
import { releaseHeld } from '#domains/postausgang/index.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';

/** The user who has an address, whatever the Mandant; nothing when it is free. */
export async function findHolder(
  tx: MandantTx,
  email: string,
): Promise<{ mandant: MandantId; benutzerId: string } | undefined> {
  const { rows } = await sql<{ mandant_id: string; benutzer_id: string }>`
    SELECT * FROM zw_adresse_finden(${email})`.execute(tx);
  return rows[0] && { mandant: mandantId(rows[0].mandant_id), benutzerId: rows[0].benutzer_id };
}

export interface Holder {
  email: string;
  /** Since when the address is proven to be the user's. */
  bestaetigt_am: string | null;
  verloren_am: string | null;
}

const selectHolder = (tx: MandantTx, benutzerId: string) =>
  tx
    .selectFrom('benutzer')
    .select(['email', 'email_bestaetigt_am as bestaetigt_am', 'email_verloren_am as verloren_am'])
    .where('benutzer_id', '=', benutzerId);

/** A user as the holder of an address. */
export const readHolder = (tx: MandantTx, benutzerId: string): Promise<Holder | undefined> =>
  selectHolder(tx, benutzerId).executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockHolder = (tx: MandantTx, benutzerId: string): Promise<Holder | undefined> =>
  selectHolder(tx, benutzerId).forUpdate().executeTakeFirst();

/** The address may become another user's; this one cannot sign in with it any more. */
export async function loseAddress(tx: MandantTx, benutzerId: string, now: string): Promise<void> {
  await tx
    .updateTable('benutzer')
    .set({ email_verloren_am: now })
    .where('benutzer_id', '=', benutzerId)
    .execute();
}

/** Another form of the same address, unless it has been changed meanwhile. */
export async function renameAddress(
  tx: MandantTx,
  benutzerId: string,
  before: string,
  after: string,
): Promise<void> {
  await tx
    .updateTable('benutzer')
    .set({ email: after })
    .where('benutzer_id', '=', benutzerId)
    .where('email', '=', before)
    .execute();
}

/** Users who have lost their address. */
export function listWithoutAddress(
  tx: MandantTx,
): Promise<{ benutzer_id: string; email: string; email_bestaetigt_am: string | null }[]> {
  return tx
    .selectFrom('benutzer')
    .select(['benutzer_id', 'email', 'email_bestaetigt_am'])
    .where('email_verloren_am', 'is not', null)
    .execute();
}

/** The address is the user's again. */
export async function regainAddress(tx: MandantTx, benutzerId: string): Promise<void> {
  await tx
    .updateTable('benutzer')
    .set({ email_verloren_am: null })
    .where('benutzer_id', '=', benutzerId)
    .execute();
}

/** Addresses of the users of the Mandant who may sign in, those who run it first. */
export async function listReachable(tx: MandantTx): Promise<{ email: string; verwaltet: boolean }[]> {
  return tx
    .selectFrom('benutzer')
    .select((eb) => ['email', eb('rolle', 'in', ['inhaber', 'verwalter']).$castTo<boolean>().as('verwaltet')])
    .where('aktiv', '=', true)
    .where('email_verloren_am', 'is', null)
    .orderBy('email')
    .execute();
}

/** Notes that the address is proven; false when it was before. */
async function noteProven(tx: MandantTx, benutzerId: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('benutzer')
    .set({ email_bestaetigt_am: now })
    .where('benutzer_id', '=', benutzerId)
    .where('email_bestaetigt_am', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Notes that the address is proven, which may let go mail that was held for it; false when it was before. */
export async function markProven(tx: MandantTx, benutzerId: string, now: string): Promise<boolean> {
  if (!(await noteProven(tx, benutzerId, now))) return false;
  await releaseHeld(tx);
  return true;
}

export interface NewBestaetigung {
  mandant_id: string;
  benutzer_id: string;
  hash: Buffer;
  erstellt_am: string;
  gueltig_bis: string;
}

/** In the place of an earlier link of the user. */
export async function writeBestaetigung(tx: MandantTx, row: NewBestaetigung): Promise<void> {
  const { hash, erstellt_am, gueltig_bis } = row;
  await tx
    .insertInto('email_bestaetigungen')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['mandant_id', 'benutzer_id']).doUpdateSet({ hash, erstellt_am, gueltig_bis }),
    )
    .execute();
}

/** Takes out the user's link if it is still valid: of several uses at once one gets it. */
export async function takeBestaetigung(
  tx: MandantTx,
  benutzerId: string,
  hash: Buffer,
  now: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('email_bestaetigungen')
    .where('benutzer_id', '=', benutzerId)
    .where('hash', '=', hash)
    .where('gueltig_bis', '>', now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteBestaetigung(tx: MandantTx, benutzerId: string): Promise<void> {
  await tx.deleteFrom('email_bestaetigungen').where('benutzer_id', '=', benutzerId).execute();
}
