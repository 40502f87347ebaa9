/** SQL of invitations. Instants go in and come out as ISO 8601 in UTC. */
import type { Rolle } from '#domains/zugang/index.ts';
import { readableEmail } from '#kernel/email.ts';
import type { MandantTx, RequestClient } from '#platform/database/index.ts';
import type { Place } from './benutzer.ts';

export interface EinladungRow {
  einladung_id: string;
  email: string;
  rolle: Rolle;
  /** Address of the inviting user; null when that one is gone. */
  eingeladen_von: string | null;
  erstellt_am: string;
  gueltig_bis: string;
}

export type NewEinladung = EinladungRow & { mandant_id: string; hash: Buffer };

const COLUMNS = ['einladung_id', 'email', 'rolle', 'eingeladen_von', 'erstellt_am', 'gueltig_bis'] as const;

const select = (tx: MandantTx) => tx.selectFrom('einladungen').select(COLUMNS);

/**
 * Invitations of the Mandant, ended ones too as long as they are there; oldest first, at most this many: those behind the one
 * with this time and id.
 */
export const listEinladungen = (tx: MandantTx, limit: number, after: Place | null): Promise<EinladungRow[]> =>
  select(tx)
    .$if(after !== null, (query) => {
      const { erstellt_am, id } = after as Place;
      return query.where((eb) =>
        eb(eb.refTuple('erstellt_am', 'einladung_id'), '>', eb.tuple(erstellt_am, id)),
      );
    })
    .orderBy('erstellt_am')
    .orderBy('einladung_id')
    .limit(limit)
    .execute();

export const readEinladung = (tx: MandantTx, einladungId: string): Promise<EinladungRow | undefined> =>
  select(tx).where('einladung_id', '=', einladungId).executeTakeFirst();

export const readEinladungOf = (tx: MandantTx, email: string): Promise<EinladungRow | undefined> =>
  select(tx)
    .where((eb) => eb(eb.fn('zw_adresse', ['email']), '=', eb.fn('zw_adresse', [eb.val(email)])))
    .executeTakeFirst();

export const readEinladungByHash = (tx: MandantTx, hash: Buffer): Promise<EinladungRow | undefined> =>
  select(tx).where('hash', '=', hash).executeTakeFirst();

export async function insertEinladung(tx: MandantTx, einladung: NewEinladung): Promise<void> {
  await tx.insertInto('einladungen').values(einladung).execute();
}

/** Another link in the place of the one before. */
export async function replaceHash(tx: MandantTx, einladungId: string, hash: Buffer): Promise<void> {
  await tx.updateTable('einladungen').set({ hash }).where('einladung_id', '=', einladungId).execute();
}

export async function deleteEinladung(tx: MandantTx, einladungId: string): Promise<void> {
  await tx.deleteFrom('einladungen').where('einladung_id', '=', einladungId).execute();
}

/** Takes out an invitation that is open; of several at once one gets it. */
export function takeEinladung(tx: MandantTx, hash: Buffer, now: string): Promise<EinladungRow | undefined> {
  return tx
    .deleteFrom('einladungen')
    .where('hash', '=', hash)
    .where('gueltig_bis', '>', now)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Ends the invitations that a user made, also under the address in its old form, but those to the roles of `except`; resolves with how many. */
export async function deleteEinladungenOf(tx: MandantTx, email: string, except: Rolle[]): Promise<number> {
  let query = tx.deleteFrom('einladungen').where('eingeladen_von', 'in', [email, readableEmail(email)]);
  if (except.length > 0) query = query.where('rolle', 'not in', except);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** The Mandant of an invitation, whatever its age. */
export const findEinladung = (client: RequestClient, hash: Buffer) => client.ask('zw_einladung_finden', hash);
