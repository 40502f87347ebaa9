/** SQL of Mandanten, users, sessions and keys. Instants go in and come out as ISO 8601 in UTC. */
import type { Generated } from 'kysely';
import type { Scope } from '#contracts';
import type { MandantTx, RequestClient } from '#platform/database/index.ts';
import type { Rolle, SessionTimes } from './rules.ts';

export interface MandantRow {
  mandant_id: string;
  firma: string;
  paket: string;
  paket_bis: string | null;
  status: 'aktiv' | 'gekündigt';
  zeitzone: string;
  avv_akzeptiert_am: string | null;
  demo: boolean;
  erstellt_am: string;
}

export interface SchluesselRow {
  mandant_id: string;
  schluessel_id: string;
  name: string;
  anfang: string;
  letzte_vier: string;
  bereiche: Scope[];
  projekt: string | null;
  erstellt_am: string;
  gesperrt_am: string | null;
  zuletzt_benutzt_am: string | null;
}

type Tables = {
  mandanten: Omit<MandantRow, 'paket_bis' | 'status' | 'demo'> & {
    paket_bis: Generated<string | null>;
    status: Generated<MandantRow['status']>;
    demo: Generated<boolean>;
  };
  benutzer: {
    mandant_id: string;
    benutzer_id: string;
    email: string;
    name: string | null;
    passwort_hash: string;
    rolle: Rolle;
    aktiv: Generated<boolean>;
    erstellt_am: string;
  };
  sitzungen: { mandant_id: string; hash: Buffer; benutzer_id: string } & SessionTimes;
  schluessel: Omit<SchluesselRow, 'gesperrt_am' | 'zuletzt_benutzt_am'> & {
    hash: Buffer;
    gesperrt_am: Generated<string | null>;
    zuletzt_benutzt_am: Generated<string | null>;
  };
};

const MANDANT_COLUMNS = [
  'mandant_id',
  'firma',
  'paket',
  'paket_bis',
  'status',
  'zeitzone',
  'avv_akzeptiert_am',
  'demo',
  'erstellt_am',
] as const;

const SCHLUESSEL_COLUMNS = [
  'mandant_id',
  'schluessel_id',
  'name',
  'anfang',
  'letzte_vier',
  'bereiche',
  'projekt',
  'erstellt_am',
  'gesperrt_am',
  'zuletzt_benutzt_am',
] as const;

// ── Mandant ──

export type NewMandant = Pick<
  MandantRow,
  'mandant_id' | 'firma' | 'paket' | 'zeitzone' | 'avv_akzeptiert_am' | 'erstellt_am'
>;

export async function insertMandant(tx: MandantTx, mandant: NewMandant): Promise<void> {
  await tx.withTables<Tables>().insertInto('mandanten').values(mandant).execute();
}

/** The Mandant the transaction is bound to. */
export function readMandant(tx: MandantTx): Promise<MandantRow> {
  return tx.withTables<Tables>().selectFrom('mandanten').select(MANDANT_COLUMNS).executeTakeFirstOrThrow();
}

// ── users ──

export interface NewBenutzer {
  mandant_id: string;
  benutzer_id: string;
  email: string;
  name: string | null;
  passwort_hash: string;
  rolle: Rolle;
  erstellt_am: string;
}

const EMAIL_INDEX = 'benutzer_email';

/** False when the address belongs to an account already; the transaction is then of no further use. */
export async function insertBenutzer(tx: MandantTx, benutzer: NewBenutzer): Promise<boolean> {
  try {
    await tx.withTables<Tables>().insertInto('benutzer').values(benutzer).execute();
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
  firma: string;
  paket: string;
  zeitzone: string;
}

/** An active user of the Mandant. */
export function readBenutzer(tx: MandantTx, benutzerId: string): Promise<BenutzerRow | undefined> {
  return tx
    .withTables<Tables>()
    .selectFrom('benutzer as b')
    .innerJoin('mandanten as m', 'm.mandant_id', 'b.mandant_id')
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
    .executeTakeFirst();
}

/** Whose password to check; nothing for unknown addresses, disabled users and cancelled accounts. */
export async function findAnmeldung(client: RequestClient, email: string) {
  const { rows } = await client.query<{ mandant_id: string; benutzer_id: string; passwort_hash: string }>(
    'SELECT * FROM zw_anmeldung_finden($1)',
    [email],
  );
  return rows[0];
}

// ── sessions ──

export type SitzungRow = BenutzerRow & SessionTimes;

export async function insertSitzung(
  tx: MandantTx,
  sitzung: { mandant_id: string; hash: Buffer; benutzer_id: string } & SessionTimes,
): Promise<void> {
  await tx.withTables<Tables>().insertInto('sitzungen').values(sitzung).execute();
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

// ── keys ──

export interface FoundSchluessel {
  mandant_id: string;
  schluessel_id: string;
  bereiche: Scope[];
  projekt: string | null;
  /** Blocked itself, or with its Mandant. */
  gesperrt: boolean;
}

export async function findSchluessel(
  client: RequestClient,
  hash: Buffer,
): Promise<FoundSchluessel | undefined> {
  const { rows } = await client.query<FoundSchluessel>('SELECT * FROM zw_schluessel_finden($1)', [hash]);
  return rows[0];
}

export type NewSchluessel = Omit<SchluesselRow, 'gesperrt_am' | 'zuletzt_benutzt_am'> & { hash: Buffer };

export function insertSchluessel(tx: MandantTx, schluessel: NewSchluessel): Promise<SchluesselRow> {
  return tx
    .withTables<Tables>()
    .insertInto('schluessel')
    .values(schluessel)
    .returning(SCHLUESSEL_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** All keys of the Mandant, blocked ones too, oldest first. */
export function listSchluessel(tx: MandantTx): Promise<SchluesselRow[]> {
  return tx
    .withTables<Tables>()
    .selectFrom('schluessel')
    .select(SCHLUESSEL_COLUMNS)
    .orderBy('erstellt_am')
    .orderBy('schluessel_id')
    .execute();
}

export function readSchluessel(tx: MandantTx, schluesselId: string): Promise<SchluesselRow | undefined> {
  return tx
    .withTables<Tables>()
    .selectFrom('schluessel')
    .select(SCHLUESSEL_COLUMNS)
    .where('schluessel_id', '=', schluesselId)
    .executeTakeFirst();
}

/** Blocks a key for good; a repeated call keeps the first instant. */
export function blockSchluessel(
  tx: MandantTx,
  schluesselId: string,
  now: string,
): Promise<SchluesselRow | undefined> {
  return tx
    .withTables<Tables>()
    .updateTable('schluessel')
    .set((eb) => ({
      gesperrt_am: eb.fn.coalesce('gesperrt_am', eb.cast<string>(eb.val(now), 'timestamptz')),
    }))
    .where('schluessel_id', '=', schluesselId)
    .returning(SCHLUESSEL_COLUMNS)
    .executeTakeFirst();
}

export async function recordSchluesselUse(tx: MandantTx, schluesselId: string, now: string): Promise<void> {
  await tx
    .withTables<Tables>()
    .updateTable('schluessel')
    .set({ zuletzt_benutzt_am: now })
    .where('schluessel_id', '=', schluesselId)
    .execute();
}
