/**
 * Roles and database of the embedded server: set up at its start, by a superuser that nothing else connects as. The owner of
 * the tables is none, so that no statement of the service can leave the database.
 */
import type pg from 'pg';
import { createClient } from '../pool.ts';
import { REQUEST_ROLE } from '../request-database.ts';
import { OWNER_ROLE, SYSTEM_ROLE } from './access.ts';

const NO_SUCH_ROLE = '28000';
/** The superuser that made the data files; it always has this number. */
const BOOTSTRAP = 10;

async function connect(socket: string, user: string, database: string): Promise<pg.Client> {
  const client = createClient({ host: socket, user, database });
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

async function exists(client: pg.Client, catalog: 'role' | 'database', name: string): Promise<boolean> {
  const from = { role: 'pg_roles WHERE rolname', database: 'pg_database WHERE datname' }[catalog];
  return (await client.query(`SELECT FROM ${from} = $1`, [name])).rowCount === 1;
}

/** What a superuser has made in a database and does not belong to an extension, as ALTER names it. */
const MADE = `
  SELECT CASE type WHEN 'composite type' THEN 'type' WHEN 'statistics object' THEN 'statistics' ELSE type END AS kind, identity
  FROM (
    SELECT 'pg_namespace'::regclass AS catalog, oid FROM pg_namespace
    WHERE nspowner = ${BOOTSTRAP} AND nspname NOT LIKE 'pg\\_%'
    UNION ALL SELECT 'pg_class'::regclass, oid FROM pg_class c
    WHERE relowner = ${BOOTSTRAP} AND (relkind IN ('r', 'p', 'v', 'm', 'f', 'c') OR relkind = 'S' AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')
        AND d.refobjsubid > 0))
    UNION ALL SELECT 'pg_proc'::regclass, oid FROM pg_proc WHERE proowner = ${BOOTSTRAP}
    UNION ALL SELECT 'pg_type'::regclass, oid FROM pg_type WHERE typowner = ${BOOTSTRAP} AND typtype IN ('d', 'e', 'r')
    UNION ALL SELECT 'pg_statistic_ext'::regclass, oid FROM pg_statistic_ext WHERE stxowner = ${BOOTSTRAP}
  ) AS made, pg_identify_object(catalog, oid, 0)
  WHERE oid >= 16384 AND NOT EXISTS (
    SELECT FROM pg_depend d WHERE d.classid = catalog AND d.objid = made.oid AND d.deptype = 'e')`;

/**
 * Data files of former versions were made by a superuser with the owner's name, who cannot stop being one: it gets the name of
 * the system's role, and a new role the owner's name and everything in the database. One transaction: all of it or nothing.
 */
async function partOwnerFromSystem(client: pg.Client, hasDatabase: boolean): Promise<void> {
  // No role can be renamed by who is signed in with it.
  const stand = 'zaehlwerk_umbenennung';
  await client.query('BEGIN');
  await client.query(`CREATE ROLE ${stand} SUPERUSER`);
  await client.query(`SET LOCAL SESSION AUTHORIZATION ${stand}`);
  await client.query(`ALTER ROLE ${OWNER_ROLE} RENAME TO ${SYSTEM_ROLE}`);
  await client.query('RESET SESSION AUTHORIZATION');
  await client.query(`DROP ROLE ${stand}`);
  await client.query(`CREATE ROLE ${OWNER_ROLE}`);
  if (hasDatabase) {
    const { rows } = await client.query<{ kind: string; identity: string }>(MADE);
    for (const { kind, identity } of rows)
      await client.query(`ALTER ${kind} ${identity} OWNER TO ${OWNER_ROLE}`);
    await client.query(`ALTER DATABASE ${OWNER_ROLE} OWNER TO ${OWNER_ROLE}`);
  }
  await client.query('COMMIT');
}

async function upgradeRoles(socket: string): Promise<void> {
  const visitor = await connect(socket, OWNER_ROLE, 'postgres');
  const hasDatabase = await exists(visitor, 'database', OWNER_ROLE).finally(() => visitor.end());
  const client = await connect(socket, OWNER_ROLE, hasDatabase ? OWNER_ROLE : 'postgres');
  await partOwnerFromSystem(client, hasDatabase).finally(() => client.end());
}

async function connectAsSystem(socket: string): Promise<pg.Client> {
  try {
    return await connect(socket, SYSTEM_ROLE, 'postgres');
  } catch (error) {
    if ((error as { code?: string }).code !== NO_SUCH_ROLE) throw error;
    await upgradeRoles(socket);
    return connect(socket, SYSTEM_ROLE, 'postgres');
  }
}

/**
 * Brings roles and database about on a server that answers, or fails as a connection does on one that does not yet. May be
 * interrupted anywhere and repeated.
 */
export async function setUpRoles(socket: string): Promise<void> {
  const client = await connectAsSystem(socket);
  try {
    for (const role of [OWNER_ROLE, REQUEST_ROLE])
      if (!(await exists(client, 'role', role))) await client.query(`CREATE ROLE ${role}`);
    // Counting copies events in, which PostgreSQL refuses whom row-level security holds for.
    await client.query(`ALTER ROLE ${OWNER_ROLE} LOGIN NOSUPERUSER BYPASSRLS`);
    await client.query(`ALTER ROLE ${REQUEST_ROLE} LOGIN`);
    // The owner may act as a request does, within a transaction of its own.
    await client.query(`GRANT ${REQUEST_ROLE} TO ${OWNER_ROLE}`);
    if (!(await exists(client, 'database', OWNER_ROLE)))
      await client.query(`CREATE DATABASE ${OWNER_ROLE} OWNER ${OWNER_ROLE}`);
  } finally {
    await client.end();
  }
}
