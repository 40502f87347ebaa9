/** Databases for tests, on the one PostgreSQL of the run (`global-setup.ts`). */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Connections, OWNER_ROLE, REQUEST_ROLE, SYSTEM_ROLE } from '#platform/database/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresHost: string;
  }
}

/** The migrated database that others are copies of. */
export const TEMPLATE = 'zaehlwerk_vorlage';

export interface TestDatabase extends Connections {
  drop(): Promise<void>;
}

/** What only the superuser of a server may do, whom nothing of the service uses. */
export async function asSystem(host: string, sql: string, database = 'postgres'): Promise<void> {
  const client = new pg.Client({ host, user: SYSTEM_ROLE, database });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Both ways into a database of a server that the service has made. */
export function connectionsTo(host: string, database: string): Connections {
  const as = (user: string) => ({ host, user, database });
  return { connection: as(OWNER_ROLE), requests: as(REQUEST_ROLE) };
}

/** A new database, made as `options` of CREATE DATABASE say. */
export async function createDatabase(
  options = '',
  name = `t_${randomBytes(6).toString('hex')}`,
): Promise<TestDatabase> {
  const host = inject('postgresHost');
  if (!host) throw new Error('no PostgreSQL here: vitest.config.ts takes this file for one that needs none');
  await asSystem(host, `CREATE DATABASE ${name} OWNER ${OWNER_ROLE} ${options}`);
  return {
    ...connectionsTo(host, name),
    drop: () => asSystem(host, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** A fresh clone of the migrated template. */
export const cloneDatabase = (): Promise<TestDatabase> => createDatabase(`TEMPLATE ${TEMPLATE}`);

/** The variables by which a service of its own finds a database of the run. */
export function environmentFor({ connection, requests }: Connections): Record<string, string> {
  const address = ({ host, user, database }: pg.ClientConfig) =>
    `postgresql://${user}@${encodeURIComponent(host as string)}/${database}`;
  return { DATABASE_URL: address(connection), DATABASE_URL_ANFRAGEN: address(requests) };
}
