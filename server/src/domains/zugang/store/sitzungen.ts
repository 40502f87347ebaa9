/** SQL of sessions. Instants go in and come out as ISO 8601 in UTC. */
import type { Generated } from 'kysely';
import type { MandantTx, RequestClient } from '#platform/database/index.ts';
import type { SessionTimes } from '../rules.ts';
import type { BenutzerRow } from './benutzer.ts';

type Tables = { sitzungen: NewSitzung & { sitzung_id: Generated<string> } };

export type SitzungRow = BenutzerRow & { sitzung_id: string } & SessionTimes;

/** Where a login came from. */
export interface Herkunft {
  /** Network address. */
  adresse: string | null;
  /** What the browser calls itself. */
  geraet: string | null;
}

export type NewSitzung = { mandant_id: string; hash: Buffer; benutzer_id: string } & SessionTimes & Herkunft;

/** Resolves with the id of the new session. */
export async function insertSitzung(tx: MandantTx, sitzung: NewSitzung): Promise<string> {
  const row = await tx
    .withTables<Tables>()
    .insertInto('sitzungen')
    .values(sitzung)
    .returning('sitzung_id')
    .executeTakeFirstOrThrow();
  return row.sitzung_id;
}

/** Removes the sessions of a user that nobody can use any more. */
export async function deleteExpiredSitzungen(
  tx: MandantTx,
  benutzerId: string,
  limits: { createdBefore: string; usedBefore: string },
): Promise<void> {
  await tx
    .withTables<Tables>()
    .deleteFrom('sitzungen')
    .where('benutzer_id', '=', benutzerId)
    .where((eb) =>
      eb.or([eb('erstellt_am', '<=', limits.createdBefore), eb('zuletzt_am', '<=', limits.usedBefore)]),
    )
    .execute();
}

/** The session of an active user, whatever its age. */
export async function findSitzung(client: RequestClient, hash: Buffer): Promise<SitzungRow | undefined> {
  const { rows } = await client.query<SitzungRow>('SELECT * FROM zw_sitzung_finden($1)', [hash]);
  return rows[0];
}

/** Expects the client to be bound to the session's Mandant. */
export async function touchSitzung(client: RequestClient, hash: Buffer, now: string): Promise<void> {
  await client.query('UPDATE sitzungen SET zuletzt_am = $2 WHERE hash = $1', [hash, now]);
}

/** Expects the client to be bound to the session's Mandant. */
export async function deleteSitzung(client: RequestClient, hash: Buffer): Promise<void> {
  await client.query('DELETE FROM sitzungen WHERE hash = $1', [hash]);
}

/** A session as its user may see it. */
export type EigeneSitzungRow = { sitzung_id: string } & SessionTimes & Herkunft;

/** Last used first. */
export function listSitzungen(tx: MandantTx, benutzerId: string): Promise<EigeneSitzungRow[]> {
  return tx
    .withTables<Tables>()
    .selectFrom('sitzungen')
    .select(['sitzung_id', 'erstellt_am', 'zuletzt_am', 'adresse', 'geraet'])
    .where('benutzer_id', '=', benutzerId)
    .orderBy('zuletzt_am', 'desc')
    .orderBy('sitzung_id')
    .execute();
}

/** Ends one session of a user; resolves with it, or with nothing when the user has none of this id. */
export function deleteSitzungOf(
  tx: MandantTx,
  benutzerId: string,
  sitzungId: string,
): Promise<{ geraet: string | null } | undefined> {
  return tx
    .withTables<Tables>()
    .deleteFrom('sitzungen')
    .where('benutzer_id', '=', benutzerId)
    .where('sitzung_id', '=', sitzungId)
    .returning('geraet')
    .executeTakeFirst();
}

/** Ends the sessions of a user but one, or all of them; resolves with how many. */
export async function deleteSitzungenOf(
  tx: MandantTx,
  benutzerId: string,
  except: string | null,
): Promise<number> {
  let query = tx.withTables<Tables>().deleteFrom('sitzungen').where('benutzer_id', '=', benutzerId);
  if (except !== null) query = query.where('sitzung_id', '!=', except);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
