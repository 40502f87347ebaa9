/** SQL of sessions. Instants go in and come out as ISO 8601 in UTC. */
import type { MandantTx, RequestClient } from '#platform/database/index.ts';
import type { Rolle, SessionTimes } from '../rules.ts';
import type { BenutzerRow } from './benutzer.ts';

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
    .insertInto('sitzungen')
    .values(sitzung)
    .returning('sitzung_id')
    .executeTakeFirstOrThrow();
  return row.sitzung_id;
}

/** When a session of a user began; nothing when it has ended. */
export async function readSitzungBeginn(
  tx: MandantTx,
  benutzerId: string,
  sitzungId: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sitzungen')
    .select('erstellt_am')
    .where('benutzer_id', '=', benutzerId)
    .where('sitzung_id', '=', sitzungId)
    .executeTakeFirst();
  return row?.erstellt_am;
}

/** Removes the sessions of a user that nobody can use any more. */
export async function deleteExpiredSitzungen(tx: MandantTx, benutzerId: string, limits: Ages): Promise<void> {
  await tx
    .deleteFrom('sitzungen')
    .where('benutzer_id', '=', benutzerId)
    .where((eb) =>
      eb.or([eb('erstellt_am', '<=', limits.createdBefore), eb('zuletzt_am', '<=', limits.usedBefore)]),
    )
    .execute();
}

/** The session of an active user, whatever its age. */
export async function findSitzung(client: RequestClient, hash: Buffer): Promise<SitzungRow | undefined> {
  const found = await client.ask('zw_sitzung_finden', hash);
  return found && { ...found, rolle: found.rolle as Rolle };
}

export async function touchSitzung(tx: MandantTx, hash: Buffer, now: string): Promise<void> {
  await tx.updateTable('sitzungen').set({ zuletzt_am: now }).where('hash', '=', hash).execute();
}

/** Has a session go on under another token; the one before is good for nothing any more. */
export async function replaceHash(tx: MandantTx, sitzungId: string, hash: Buffer): Promise<void> {
  await tx.updateTable('sitzungen').set({ hash }).where('sitzung_id', '=', sitzungId).execute();
}

export async function deleteSitzung(tx: MandantTx, hash: Buffer): Promise<void> {
  await tx.deleteFrom('sitzungen').where('hash', '=', hash).execute();
}

/** A session as its user may see it. */
export type EigeneSitzungRow = { sitzung_id: string } & SessionTimes & Herkunft;

/** When sessions are too old to be used: by their beginning, by their last use. */
export interface Ages {
  createdBefore: string;
  usedBefore: string;
}

/** Sessions that can be used, the latest login first, at most this many: those behind the one with this time and id. */
export function listSitzungen(
  tx: MandantTx,
  benutzerId: string,
  { createdBefore, usedBefore }: Ages,
  limit: number,
  after: { erstellt_am: string; sitzung_id: string } | null,
): Promise<EigeneSitzungRow[]> {
  return tx
    .selectFrom('sitzungen')
    .select(['sitzung_id', 'erstellt_am', 'zuletzt_am', 'adresse', 'geraet'])
    .where('benutzer_id', '=', benutzerId)
    .where('erstellt_am', '>', createdBefore)
    .where('zuletzt_am', '>', usedBefore)
    .$if(after !== null, (query) => {
      const { erstellt_am, sitzung_id } = after as NonNullable<typeof after>;
      return query.where((eb) =>
        eb(eb.refTuple('erstellt_am', 'sitzung_id'), '<', eb.tuple(erstellt_am, sitzung_id)),
      );
    })
    .orderBy('erstellt_am', 'desc')
    .orderBy('sitzung_id', 'desc')
    .limit(limit)
    .execute();
}

/** Ends one session of a user; resolves with it, or with nothing when the user has none of this id. */
export function deleteSitzungOf(
  tx: MandantTx,
  benutzerId: string,
  sitzungId: string,
): Promise<{ geraet: string | null } | undefined> {
  return tx
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
  let query = tx.deleteFrom('sitzungen').where('benutzer_id', '=', benutzerId);
  if (except !== null) query = query.where('sitzung_id', '!=', except);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
