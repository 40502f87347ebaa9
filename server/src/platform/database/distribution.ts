/** Spreads the volume tables over the workers of a cluster (Citus) by `mandant_id`: a Mandant's rows lie on one of them. */
import type pg from 'pg';
import { isCoordinator } from './cluster.ts';
import { ANCHOR, VOLUME_TABLES } from './volume-tables.ts';

/** Any fixed number; it names the lock of changes to the schema; readers of the whole schema share it. */
export const SCHEMA_LOCK = 7_219_404_513;

/** How a volume table stands. */
export interface TableOfCluster {
  name: string;
  /** Into how many parts it is spread; null while it lies on the coordinator. */
  parts: number | null;
  /** On disk, with indexes, of all nodes. */
  bytes: number;
}

// What is not partitioned is no tree.
const LOCAL = `SELECT c.relname AS name, NULL::int AS parts,
    coalesce((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(c.oid)), pg_total_relation_size(c.oid))::float8
      AS bytes
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1)`;
const SPREAD = `SELECT c.relname AS name,
    (SELECT count(*) FROM pg_dist_shard s WHERE s.logicalrelid = c.oid)::int AS parts,
    coalesce((SELECT sum(citus_total_relation_size(relid, false)) FROM pg_partition_tree(c.oid)),
      citus_total_relation_size(c.oid, false))::float8 AS bytes
  FROM pg_class c JOIN pg_dist_partition p ON p.logicalrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1)`;

/** The volume tables that there are, in their order; an older schema lacks some. */
export async function tablesOfCluster(client: pg.ClientBase): Promise<TableOfCluster[]> {
  const spread = (await isCoordinator(client))
    ? (await client.query<TableOfCluster>(SPREAD, [VOLUME_TABLES])).rows
    : [];
  const names = VOLUME_TABLES.filter((table) => !spread.some(({ name }) => name === table));
  const local = (await client.query<TableOfCluster>(LOCAL, [names])).rows;
  return VOLUME_TABLES.flatMap((table) => [...spread, ...local].filter(({ name }) => name === table));
}

/** Names of the volume tables that lie on the coordinator, though others are spread already; none on any other server. */
export async function lateTables(client: pg.ClientBase): Promise<string[]> {
  if (!(await isCoordinator(client))) return [];
  const { rows } = await client.query<{ name: string; spread: boolean }>(
    `SELECT c.relname AS name, EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid) AS spread
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1)`,
    [VOLUME_TABLES],
  );
  if (!rows.some(({ spread }) => spread)) return [];
  return rows.filter(({ spread }) => !spread).map(({ name }) => name);
}

/**
 * Spreads tables, with what is in them, within the transaction of `client`: all or none. The first of all is `ANCHOR`, into as
 * many parts as `citus.shard_count` says; the others lie beside it.
 */
export async function distribute(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  // One connection to each worker for all of it: on several, statements about the same tables would wait for each other.
  await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  for (const table of tables) {
    const beside = table === ANCHOR ? 'none' : ANCHOR;
    await client.query('SELECT create_distributed_table($1::regclass, $2, colocate_with => $3)', [
      table,
      'mandant_id',
      beside,
    ]);
    await client.query('SELECT truncate_local_data_after_distributing_table($1::regclass)', [table]);
  }
}

/** Why tables cannot be spread, as a German sentence. */
export class NotSpreadable extends Error {}

const COORDINATOR = `SELECT citus_is_coordinator() AS coordinator,
  (SELECT count(*) FROM citus_get_active_worker_nodes())::int AS workers`;
/** What of Zählwerk is connected, besides its command line and what waits to change the schema. */
const CONNECTED = `SELECT count(*)::int AS connected FROM pg_stat_activity WHERE datname = current_database()
  AND application_name LIKE 'zaehlwerk-%' AND application_name NOT IN ('zaehlwerk-cli', 'zaehlwerk-migrate')`;
/** Somebody at work on the tables is waited for this long. */
const PATIENCE = "SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = 0";
const LOCKED = '55P03';

/** Throws `NotSpreadable` unless the server coordinates workers. */
async function requireWorkers(client: pg.ClientBase): Promise<void> {
  const found = (await isCoordinator(client))
    ? (await client.query<{ coordinator: boolean; workers: number }>(COORDINATOR)).rows[0]
    : null;
  if (!found?.coordinator)
    throw new NotSpreadable(
      'Diese Datenbank ist kein Koordinator eines Citus-Verbunds: Entweder fehlt die Erweiterung citus, oder DATABASE_URL nennt einen Arbeitsknoten (docs/operations.md).',
    );
  if (found.workers === 0)
    throw new NotSpreadable(
      'Der Koordinator kennt noch keinen Arbeitsknoten; ein Superuser fügt sie mit citus_add_node hinzu (docs/operations.md).',
    );
}

/**
 * Spreads every volume table that is not spread yet, within the transaction of `client`; returns how all of them stood before.
 * Throws `NotSpreadable` where there are no workers, while a service is connected, or when somebody else holds a table.
 */
export async function spreadVolumeTables(client: pg.ClientBase): Promise<TableOfCluster[]> {
  await requireWorkers(client);
  await client.query(PATIENCE);
  // A service that starts meanwhile waits for this with the migrations.
  await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
  const { rows } = await client.query<{ connected: number }>(CONNECTED);
  if (rows[0]?.connected !== 0)
    throw new NotSpreadable(
      `Der Dienst läuft: ${rows[0]?.connected} Verbindungen sind offen. Bitte beenden Sie alle Prozesse von Zählwerk; verändert wurde nichts.`,
    );
  const before = await tablesOfCluster(client);
  try {
    await distribute(
      client,
      before.filter(({ parts }) => parts === null).map(({ name }) => name),
    );
  } catch (error) {
    if ((error as { code?: string }).code !== LOCKED) throw error;
    throw new NotSpreadable(
      'Jemand arbeitet gerade mit den Tabellen, etwa eine Sicherung oder psql; verändert wurde nichts.',
      { cause: error },
    );
  }
  return before;
}
