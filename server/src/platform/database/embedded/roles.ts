/**
 * Roles and database of the embedded server: set up at its start, by a superuser that nothing else connects as. The owner of
 * the tables is none, so that no statement of the service can leave the database.
 */
import type pg from 'pg';
import { createClient } from '../pool.ts';
import { REQUEST_ROLE } from '../request-database.ts';
import { OWNER_ROLE, SYSTEM_ROLE } from './access.ts';

async function connectAsSystem(socket: string): Promise<pg.Client> {
  const client = createClient({ host: socket, user: SYSTEM_ROLE, database: 'postgres' });
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
