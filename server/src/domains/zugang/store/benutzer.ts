/** SQL of users. Instants go in and come out as ISO 8601 in UTC. */
import type { Sprache as SpracheSchema, Static } from '#contracts';
import type { MandantTx, RequestClient } from '#platform/database/index.ts';
import type { Rolle } from '../rules.ts';

type Sprache = Static<typeof SpracheSchema>;

export interface NewBenutzer {
  mandant_id: string;
  benutzer_id: string;
  email: string;
  name: string | null;
  /** Null for users who came by company account. */
  passwort_hash: string | null;
  rolle: Rolle;
  erstellt_am: string;
  /** Since when the address is proven; null for one that was only typed. */
  email_bestaetigt_am: string | null;
}

const EMAIL_INDEX = 'benutzer_email';

/** False when the address belongs to an account already; the transaction is then of no further use. */
export async function insertBenutzer(tx: MandantTx, benutzer: NewBenutzer): Promise<boolean> {
  try {
    await tx.insertInto('benutzer').values(benutzer).execute();
    return true;
  } catch (error) {
    if ((error as { constraint?: string }).constraint === EMAIL_INDEX) return false;
    throw error;
  }
}

/** A user with what the session needs to know of the Mandant. */
export interface BenutzerRow {
  mandant_id: string;
  benutzer_id: string;
  email: string;
  name: string | null;
  rolle: Rolle;
  /** Operator of the installation. */
  betreiber: boolean;
  zweiter_faktor: boolean;
  firma: string;
  paket: string;
  zeitzone: string;
}

/** An active user of the Mandant, who has the address still. */
export function readBenutzer(tx: MandantTx, benutzerId: string): Promise<BenutzerRow | undefined> {
  return tx
    .selectFrom('benutzer as b')
    .innerJoin('mandanten as m', 'm.mandant_id', 'b.mandant_id')
    .leftJoin('zweite_faktoren as f', 'f.benutzer_id', 'b.benutzer_id')
    .leftJoin('betreiber as o', 'o.benutzer_id', 'b.benutzer_id')
    .select((eb) => [
      eb('o.benutzer_id', 'is not', null).$castTo<boolean>().as('betreiber'),
      eb('f.bestaetigt_am', 'is not', null).$castTo<boolean>().as('zweiter_faktor'),
    ])
    .select([
      'b.mandant_id',
      'b.benutzer_id',
      'b.email',
      'b.name',
      'b.rolle',
      'm.firma',
      'm.paket',
      'm.zeitzone',
    ])
    .where('b.benutzer_id', '=', benutzerId)
    .where('b.aktiv', '=', true)
    .where('b.email_verloren_am', 'is', null)
    .executeTakeFirst();
}

export interface FoundAnmeldung {
  mandant_id: string;
  benutzer_id: string;
  passwort_hash: string | null;
}

/** Somebody who reads what the service writes. */
export interface Reader {
  email: string;
  rolle: Rolle;
  sprache: Sprache | null;
  /** Whether the address is proven. */
  bestaetigt: boolean;
}

/** An active user of the Mandant as a reader, who has the address still. */
export const readReader = (tx: MandantTx, benutzerId: string): Promise<Reader | undefined> =>
  tx
    .selectFrom('benutzer')
    .select(['email', 'rolle', 'sprache'])
    .select((eb) => eb('email_bestaetigt_am', 'is not', null).$castTo<boolean>().as('bestaetigt'))
    .where('benutzer_id', '=', benutzerId)
    .where('aktiv', '=', true)
    .where('email_verloren_am', 'is', null)
    .executeTakeFirst();

/** Whose password to check; nothing for unknown addresses, disabled users and cancelled accounts. */
export const findAnmeldung = (client: RequestClient, email: string): Promise<FoundAnmeldung | undefined> =>
  client.ask('zw_anmeldung_finden', email);

/** What a user has to sign in with, and has chosen for the cockpit. */
export interface EigeneAngaben {
  wiederherstellungscodes: number;
  passwort_gesetzt: boolean;
  /** Whether the address is proven. */
  email_bestaetigt: boolean;
  sprache: Sprache | null;
  zeitzone: string | null;
}

export function readEigeneAngaben(tx: MandantTx, benutzerId: string): Promise<EigeneAngaben> {
  return tx
    .selectFrom('benutzer as b')
    .where('b.benutzer_id', '=', benutzerId)
    .select(['b.sprache', 'b.zeitzone'])
    .select((eb) => [
      eb('b.passwort_hash', 'is not', null).$castTo<boolean>().as('passwort_gesetzt'),
      eb('b.email_bestaetigt_am', 'is not', null).$castTo<boolean>().as('email_bestaetigt'),
      eb
        .selectFrom('wiederherstellungscodes as w')
        .whereRef('w.benutzer_id', '=', 'b.benutzer_id')
        .where('w.benutzt_am', 'is', null)
        .select((count) => count.fn.countAll<number>().as('anzahl'))
        .$asScalar()
        .$castTo<number>()
        .as('wiederherstellungscodes'),
    ])
    .executeTakeFirstOrThrow();
}

/** What users say of themselves. */
export interface Profil {
  name: string | null;
  sprache: Sprache | null;
  /** IANA name. */
  zeitzone: string | null;
}

export const lockProfil = (tx: MandantTx, benutzerId: string): Promise<Profil | undefined> =>
  tx
    .selectFrom('benutzer')
    .select(['name', 'sprache', 'zeitzone'])
    .where('benutzer_id', '=', benutzerId)
    .forUpdate()
    .executeTakeFirst();

export async function updateProfil(tx: MandantTx, benutzerId: string, profil: Profil): Promise<void> {
  await tx.updateTable('benutzer').set(profil).where('benutzer_id', '=', benutzerId).execute();
}
