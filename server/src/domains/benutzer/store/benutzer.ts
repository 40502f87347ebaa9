/** SQL of the users as those who administer them see them. Instants come out as ISO 8601 in UTC. */
import type { Rolle } from '#domains/zugang/index.ts';
import type { MandantTx } from '#platform/database/index.ts';

export interface ListedBenutzer {
  benutzer_id: string;
  email: string;
  name: string | null;
  rolle: Rolle;
  /** Whether the user may sign in. */
  aktiv: boolean;
  /** The address is another user's now. */
  adresse_verloren: boolean;
  zweiter_faktor: boolean;
  erstellt_am: string;
  /** Last use of a session that is still there. */
  zuletzt_am: string | null;
}

/** Where a row stands in the order of a list: its time (ISO 8601 in UTC) and its id. */
export interface Place {
  erstellt_am: string;
  id: string;
}

const selectBenutzer = (tx: MandantTx) =>
  tx
    .selectFrom('benutzer as b')
    .leftJoin('zweite_faktoren as f', 'f.benutzer_id', 'b.benutzer_id')
    .select(['b.benutzer_id', 'b.email', 'b.name', 'b.rolle', 'b.erstellt_am'])
    .select((eb) => [
      eb
        .and([eb('b.aktiv', '=', true), eb('b.email_verloren_am', 'is', null)])
        .$castTo<boolean>()
        .as('aktiv'),
      eb('b.email_verloren_am', 'is not', null).$castTo<boolean>().as('adresse_verloren'),
      eb('f.bestaetigt_am', 'is not', null).$castTo<boolean>().as('zweiter_faktor'),
      eb
        .selectFrom('sitzungen as s')
        .whereRef('s.benutzer_id', '=', 'b.benutzer_id')
        .select((session) => session.fn.max('s.zuletzt_am').as('zuletzt'))
        .$asScalar()
        .as('zuletzt_am'),
    ]);

/** Users of the Mandant, oldest first, at most this many: those behind the one with this time and id. */
export const listBenutzer = (tx: MandantTx, limit: number, after: Place | null): Promise<ListedBenutzer[]> =>
  selectBenutzer(tx)
    .$if(after !== null, (query) => {
      const { erstellt_am, id } = after as Place;
      return query.where((eb) =>
        eb(eb.refTuple('b.erstellt_am', 'b.benutzer_id'), '>', eb.tuple(erstellt_am, id)),
      );
    })
    .orderBy('b.erstellt_am')
    .orderBy('b.benutzer_id')
    .limit(limit)
    .execute();

export const readListedBenutzer = (tx: MandantTx, benutzerId: string): Promise<ListedBenutzer | undefined> =>
  selectBenutzer(tx).where('b.benutzer_id', '=', benutzerId).executeTakeFirst();

/** Whether the address belongs to a user of this Mandant, in any spelling of upper and lower case. */
export async function hasBenutzer(tx: MandantTx, email: string): Promise<boolean> {
  const row = await tx
    .selectFrom('benutzer')
    .select('benutzer_id')
    .where('email_verloren_am', 'is', null)
    .where((eb) => eb(eb.fn('zw_adresse', ['email']), '=', eb.fn('zw_adresse', [eb.val(email)])))
    .executeTakeFirst();
  return row !== undefined;
}

export async function countActiveInhaber(tx: MandantTx): Promise<number> {
  const { anzahl } = await tx
    .selectFrom('benutzer')
    .select((eb) => eb.fn.countAll<number>().as('anzahl'))
    .where('rolle', '=', 'inhaber')
    .where('aktiv', '=', true)
    .where('email_verloren_am', 'is', null)
    .executeTakeFirstOrThrow();
  return anzahl;
}

export async function updateBenutzer(
  tx: MandantTx,
  benutzerId: string,
  columns: { rolle: Rolle; aktiv: boolean; name: string | null },
): Promise<void> {
  await tx.updateTable('benutzer').set(columns).where('benutzer_id', '=', benutzerId).execute();
}

/** With the user go sessions, second factor and links. */
export async function deleteBenutzer(tx: MandantTx, benutzerId: string): Promise<void> {
  await tx.deleteFrom('benutzer').where('benutzer_id', '=', benutzerId).execute();
}

/** Places that are taken: active users, and invitations that can still be accepted at `now`. */
export async function countPlaces(tx: MandantTx, now: Date): Promise<number> {
  const users = tx
    .selectFrom('benutzer')
    .where('aktiv', '=', true)
    .where('email_verloren_am', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('anzahl'));
  const invited = tx
    .selectFrom('einladungen')
    .where('gueltig_bis', '>', now.toISOString())
    .select((eb) => eb.fn.countAll<number>().as('anzahl'));
  const [one, other] = [await users.executeTakeFirst(), await invited.executeTakeFirst()];
  return Number(one?.anzahl ?? 0) + Number(other?.anzahl ?? 0);
}
