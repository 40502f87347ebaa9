/** Databases for tests, on the one PostgreSQL of the run (`global-setup.ts`), or on the cluster (`cluster.ts`). */

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Connections, OWNER_ROLE, SYSTEM_ROLE } from '#platform/database/index.ts';
import { REQUEST_ROLE } from '#platform/database/request-database.ts';
import { joinNodes, type Node } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Node[];
  }
}

/** The migrated database that others are copies of. */
export const TEMPLATE = 'zaehlwerk_vorlage';

export interface TestDatabase extends Connections {
  drop(): Promise<void>;
}

/** What only the superuser of a server may do, whom nothing of the service uses. */
export async function asSystem(node: Node, sql: string, database = 'postgres'): Promise<void> {
  const client = new pg.Client({ ...node, user: SYSTEM_ROLE, database });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Both ways into a database of a server that the service has made. */
function connectionsTo(node: Node, database: string): Connections {
  const as = (user: string) => ({ ...node, user, database });
  return { connection: as(OWNER_ROLE), requests: as(REQUEST_ROLE) };
}

/** What watches over a database of a cluster comes back when it is ended: it may take several tries. */
async function dropFrom(node: Node, name: string, tries = 20): Promise<void> {
  try {
    await asSystem(node, `DROP DATABASE ${name} WITH (FORCE)`);
  } catch (error) {
    if ((error as { code?: string }).code !== '55006' || tries === 0) throw error;
    await dropFrom(node, name, tries - 1);
  }
}

async function create(name: string, options: string): Promise<TestDatabase> {
  const nodes = inject('postgres');
  const [first] = nodes ?? [];
  if (!first) throw new Error('no PostgreSQL here: vitest.config.ts takes this file for one that needs none');
  const onAll = (sql: string) => Promise.all(nodes.map((node) => asSystem(node, sql)));
  await onAll(`CREATE DATABASE ${name} OWNER ${OWNER_ROLE} ${options}`);
  return {
    ...connectionsTo(first, name),
    drop: async () => {
      await Promise.all(nodes.map((node) => dropFrom(node, name)));
    },
  };
}

/** A new database, made as `options` of CREATE DATABASE say. Nothing of it is spread. */
export async function createDatabase(
  options = '',
  name = `t_${randomBytes(6).toString('hex')}`,
): Promise<TestDatabase> {
  const database = await create(name, options);
  const nodes = inject('postgres');
  if (nodes.length > 1) await joinNodes(nodes, name);
  return database;
}

/** A fresh clone of the migrated template, or of another database that nobody is connected to. */
export const cloneDatabase = (of = TEMPLATE): Promise<TestDatabase> =>
  // Files that are copied as they are cost a third of pages that go through the log.
  create(`t_${randomBytes(6).toString('hex')}`, `TEMPLATE ${of} STRATEGY file_copy`);

/** The address of a database as variables have it. */
export function addressOf({ host, port, user, database }: pg.ClientConfig): string {
  const at = host?.startsWith('/') ? encodeURIComponent(host) : host;
  return `postgresql://${user}@${at}${port ? `:${port}` : ''}/${database}`;
}

/** The variables by which a service of its own finds a database of the run. */
export function environmentFor({ connection, requests }: Connections): Record<string, string> {
  return { DATABASE_URL: addressOf(connection), DATABASE_URL_ANFRAGEN: addressOf(requests) };
}

/** Whether the databases of the run are spread over a cluster. */
export const onCluster = (): boolean => inject('postgres').length > 1;
