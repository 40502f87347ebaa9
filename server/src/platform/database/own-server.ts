/**
 * The roles of a server that the operator brings along (`DATABASE_URL`): whether the owner may do what it must and no more,
 * and how requests sign in. Looked at before anything is changed; whatever is amiss is a German sentence that says what to do.
 */
import { hkdfSync } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { createClient } from './pool.ts';
import { REQUEST_ROLE } from './request-database.ts';
import { scramVerifier } from './scram.ts';

const REFUSED = '42501';
/** `08P01` is what a pooler says. */
const NOT_LET_IN = new Set(['28P01', '28000', '08P01']);
/** A second process makes the same role at the same moment. */
const MADE_MEANWHILE = new Set(['42710', '23505']);
/** Any fixed number; it names the lock. */
const LOCK = 7_219_404_514;

const codeOf = (error: unknown) => (error as { code?: string }).code ?? '';

async function withConnection<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = createClient(connection);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Refuses an owner for whom row-level security holds, and warns of one who may do everything on the server. */
export async function requireOwnerRights(connection: pg.ClientConfig, log: Log): Promise<void> {
  const { rows } = await withConnection(connection, (client) =>
    client.query<{ role: string; superuser: boolean; bypass: boolean }>(
      `SELECT quote_ident(rolname) AS role, rolsuper AS superuser, rolbypassrls AS bypass
       FROM pg_roles WHERE rolname = current_user`,
    ),
  );
  const { role = '', superuser = false, bypass = false } = rows[0] ?? {};
  if (superuser)
    log.warn(
      { role },
      'DATABASE_URL: the service signs in as a superuser; it needs no more than a role that owns the database, with BYPASSRLS',
    );
  else if (!bypass)
    throw new Error(
      `DATABASE_URL: Die Rolle ${role} kann nicht zählen, weil die Zeilensicherheit der Tabellen auch für sie gilt. Bitte lassen Sie einen Superuser „ALTER ROLE ${role} BYPASSRLS“ ausführen und starten Sie erneut; geändert wurde nichts.`,
    );
}

/** Makes a role unless it is there; `sql` is the statement. Throws a sentence when the owner may not. */
async function makeRole(client: pg.Client, role: string, sql: string, remedy: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 1) return;
  try {
    await client.query(sql);
  } catch (error) {
    if (MADE_MEANWHILE.has(codeOf(error))) return;
    if (codeOf(error) !== REFUSED) throw error;
    throw new Error(
      `DATABASE_URL: Es fehlt die Rolle ${role}, mit der sich Anfragen anmelden, und dieser Benutzer darf sie nicht anlegen. ${remedy}`,
      { cause: error },
    );
  }
}

const REMEDY = `Bitte lassen Sie einen Superuser eine Rolle mit LOGIN, Passwort und Mitgliedschaft in ${REQUEST_ROLE} anlegen und nennen Sie sie in DATABASE_URL_ANFRAGEN, oder geben Sie dem Benutzer CREATEROLE und „GRANT ${REQUEST_ROLE} TO … WITH ADMIN OPTION“ (docs/operations.md).`;

/** The role whose rights requests have; the owner is a member, so that it may act as one of them. */
async function makeRequestRole(client: pg.Client): Promise<void> {
  await makeRole(client, REQUEST_ROLE, `CREATE ROLE ${REQUEST_ROLE} LOGIN`, REMEDY);
  const { rows } = await client.query<{ member: boolean; owner: string }>(
    `SELECT pg_has_role('${REQUEST_ROLE}', 'USAGE') AS member, quote_ident(current_user) AS owner`,
  );
  const { member, owner } = rows[0] as (typeof rows)[0];
  if (member) return;
  const grant = `GRANT ${REQUEST_ROLE} TO ${owner}`;
  await client.query(grant).catch((cause: unknown) => {
    throw new Error(`DATABASE_URL: Bitte lassen Sie einen Superuser „${grant}“ ausführen.`, { cause });
  });
}

/** The address with another user. What is in its query goes before what stands in front of the host. */
function signedIn(url: string, user: string, password: string): string {
  const address = new URL(url);
  address.searchParams.set('user', user);
  address.searchParams.set('password', password);
  return address.href;
}

/**
 * A login of this database's own, since roles belong to the server: a second Zählwerk there has another key. Its password
 * follows from the key of the installation, so that all its processes know it and none keeps it.
 */
async function makeLogin(client: pg.Client, url: string, key: Buffer): Promise<pg.ClientConfig> {
  const { rows } = await client.query<{ oid: string }>(
    'SELECT oid::text FROM pg_database WHERE datname = current_database()',
  );
  const role = `${REQUEST_ROLE}_${rows[0]?.oid}`;
  const password = Buffer.from(hkdfSync('sha256', key, '', `Zählwerk ${role}`, 32)).toString('base64url');
  const make = `CREATE ROLE ${role} LOGIN IN ROLE ${REQUEST_ROLE} PASSWORD '${scramVerifier(password)}'`;
  await makeRole(client, role, make, REMEDY);
  return { connectionString: signedIn(url, role, password) };
}

/** Whom a connection is signed in as, with whatever it could do that no request needs. */
const SIGNED_IN = `SELECT current_user::text AS role, current_database()::text AS database,
    pg_has_role('${REQUEST_ROLE}', 'USAGE') AS request,
    rolsuper OR rolbypassrls OR rolcreaterole OR rolreplication OR pg_has_role($1::name, 'MEMBER') OR EXISTS (
      SELECT FROM pg_roles p WHERE p.rolname LIKE 'pg\\_%server%' AND pg_has_role(p.oid, 'MEMBER')) AS mighty
  FROM pg_roles WHERE rolname = current_user`;

/** Refuses a login of requests that is none, may do more than they, or leads elsewhere. */
async function requireLeast(requests: pg.ClientConfig, owner: string, database: string): Promise<void> {
  const { rows } = await withConnection(requests, (client) =>
    client.query<{ role: string; database: string; request: boolean; mighty: boolean }>(SIGNED_IN, [owner]),
  );
  const found = rows[0] as (typeof rows)[0];
  const fail = (sentence: string) => {
    throw new Error(`DATABASE_URL_ANFRAGEN: ${sentence}`);
  };
  if (found.database !== database)
    fail(`Erwartet wird die Datenbank „${database}“ von DATABASE_URL, nicht „${found.database}“.`);
  if (!found.request)
    fail(`Der Rolle ${found.role} fehlen die Rechte; nötig ist „GRANT ${REQUEST_ROLE} TO ${found.role}“.`);
  if (found.mighty)
    fail(
      `Die Rolle ${found.role} darf mehr, als Anfragen dürfen sollen: Sie darf weder Superuser sein noch BYPASSRLS, CREATEROLE oder REPLICATION haben, und weder zum Eigentümer noch zu pg_read_server_files und seinesgleichen gehören.`,
    );
}

/** Why a login was refused, as a sentence; other errors as they are. */
function explain(error: unknown, given: boolean): unknown {
  if (!NOT_LET_IN.has(codeOf(error))) return error;
  const reason = (error as Error).message;
  const sentence = given
    ? `DATABASE_URL_ANFRAGEN: Der Server weist die Anmeldung ab („${reason}“).`
    : `DATABASE_URL: Der Server weist die Anmeldung für Anfragen ab („${reason}“). Ihr Passwort folgt aus ZW_SCHLUESSEL, der in allen Prozessen derselbe sein muss; wurde er ersetzt, entfernen Sie die Rolle mit DROP ROLE, sie wird neu angelegt. Lässt der Server nur bestimmte Benutzer zu, nennen Sie einen in DATABASE_URL_ANFRAGEN (docs/operations.md).`;
  return new Error(sentence, { cause: error });
}

/**
 * How requests sign in: as `given` says (`DATABASE_URL_ANFRAGEN`), else with a login made here whose password follows from
 * the installation's key. Throws a sentence when neither works.
 */
export async function openRequestLogin(
  url: string,
  given: string | null,
  loadKey: () => Buffer,
): Promise<pg.ClientConfig> {
  return withConnection({ connectionString: url }, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await makeRequestRole(client);
    const requests = given ? { connectionString: given } : await makeLogin(client, url, loadKey());
    const { rows } = await client.query<{ owner: string; database: string }>(
      'SELECT current_user::text AS owner, current_database()::text AS database',
    );
    const { owner, database } = rows[0] as (typeof rows)[0];
    await requireLeast(requests, owner, database).catch((error: unknown) => {
      throw explain(error, given !== null);
    });
    return requests;
  });
}
