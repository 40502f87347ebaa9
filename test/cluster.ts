/**
 * A cluster (Citus) in place of the run's own PostgreSQL: `CITUS_URL` names, as a superuser who is asked for no password, a
 * database on its coordinator that knows the workers. Every database of the run is then spread over them.
 */

import pg from 'pg';
import { distribute } from '#platform/database/distribution.ts';
import { OWNER_ROLE, SYSTEM_ROLE } from '#platform/database/index.ts';
import { REQUEST_ROLE } from '#platform/database/request-database.ts';
import { VOLUME_TABLES } from '#platform/database/volume-tables.ts';

/** A server of the run; of a cluster the coordinator comes first. */
export interface Node {
  host: string;
  port?: number;
}

/** Tables of a test are small: fewer parts are made, and copied, sooner. */
const PARTS = 4;

/** Runs SQL in a database of a node. */
export async function runOn<R extends pg.QueryResultRow>(
  node: Node,
  user: string,
  database: string,
  statements: string[],
): Promise<R[]> {
  const client = new pg.Client({ ...node, user, database, options: `-c citus.shard_count=${PARTS}` });
  await client.connect();
  try {
    let rows: R[] = [];
    for (const statement of statements) rows = (await client.query<R>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const ROLES = [
  `ROLE ${SYSTEM_ROLE} SUPERUSER LOGIN`,
  `ROLE ${OWNER_ROLE} LOGIN BYPASSRLS`,
  `ROLE ${REQUEST_ROLE} LOGIN`,
];
const makeRole = (role: string) =>
  `DO $$ BEGIN CREATE ${role}; EXCEPTION WHEN duplicate_object THEN ALTER ${role}; END $$`;

/** The nodes of the cluster at `url`, with the roles that the databases of the run need. */
export async function findNodes(url: string): Promise<Node[]> {
  const { hostname, port, username, pathname } = new URL(url);
  const coordinator = { host: hostname, port: Number(port) || 5432 };
  const workers = await runOn<{ host: string; port: number }>(coordinator, username, pathname.slice(1), [
    'SELECT node_name AS host, node_port::int AS port FROM citus_get_active_worker_nodes() ORDER BY 1, 2',
  ]);
  const nodes = [coordinator, ...workers];
  const grants = [
    ...ROLES.map(makeRole),
    `GRANT ${REQUEST_ROLE} TO ${OWNER_ROLE} WITH ADMIN OPTION`,
    // Tests put triggers on tables to make faults; the service has none there.
    `ALTER ROLE ${OWNER_ROLE} SET citus.enable_unsafe_triggers = on`,
  ];
  // In a database that belongs to no cluster nothing of it is handed on to the other nodes.
  for (const node of nodes) await runOn(node, username, 'postgres', grants);
  return nodes;
}

/** Makes the nodes' databases of this name one of a cluster. */
export async function joinNodes(nodes: Node[], database: string): Promise<void> {
  for (const node of nodes) await runOn(node, SYSTEM_ROLE, database, ['CREATE EXTENSION citus']);
  const [coordinator, ...workers] = nodes as [Required<Node>, ...Node[]];
  await runOn(coordinator, SYSTEM_ROLE, database, [
    `SELECT citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `SELECT citus_add_node('${host}', ${port})`),
  ]);
}

/** Spreads what a migrated database holds. */
export async function spread([coordinator]: Node[], database: string): Promise<void> {
  const client = new pg.Client({
    ...coordinator,
    user: OWNER_ROLE,
    database,
    options: `-c citus.shard_count=${PARTS}`,
  });
  await client.connect();
  try {
    await client.query('BEGIN');
    await distribute(client, VOLUME_TABLES);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
