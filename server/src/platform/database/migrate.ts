/** Append-only numbered SQL, applied in order at start, under a lock: of several instances one migrates, the others wait. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { BASELINE, LAST_BEFORE_BASELINE, requirePieces, standOf, tooOld } from './baseline.ts';
import { isCoordinator } from './cluster.ts';
import { distribute, lateTables, SCHEMA_LOCK } from './distribution.ts';
import { createClient } from './pool.ts';
import { splitStatements } from './statements.ts';

const DIRECTORY = join(import.meta.dirname, '../../../migrations');
/** One connection to each worker of a cluster: what one statement has changed, the next one sees. Elsewhere an unused name. */
const BEGIN = "BEGIN; SET LOCAL citus.multi_shard_modify_mode = 'sequential'";

const TABLE = `CREATE TABLE IF NOT EXISTS migrationen (
      nummer integer PRIMARY KEY, name text NOT NULL, pruefsumme text NOT NULL,
      angewandt_am timestamptz NOT NULL DEFAULT now())`;

export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
}

/** All of them, in the order they are applied in. */
export function readMigrations(): Migration[] {
  return readdirSync(DIRECTORY)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(DIRECTORY, name), 'utf8');
      return {
        number: Number(name.slice(0, 4)),
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    });
}

const noteApplied = (client: pg.Client, { number, name, checksum }: Migration) =>
  client.query('INSERT INTO migrationen (nummer, name, pruefsumme) VALUES ($1, $2, $3)', [
    number,
    name,
    checksum,
  ]);

async function runStatements(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of splitStatements(migration.sql)) await client.query(statement);
  await noteApplied(client, migration);
}

/** Makes the schema that these migrations leave, in the transaction the client is in, where there is none yet. */
export async function makeSchema(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(TABLE);
  for (const migration of migrations) await runStatements(client, migration);
}

/** Others may be serving: a statement that waits for a table to be free holds up all that come after. */
const LOCK_TIMEOUT = '3s';
/** Not free in time; or what has it waits for a table that the migration has already. */
const NOT_FREE: ReadonlySet<unknown> = new Set(['55P03', '40P01']);
/** Two minutes and more of a table that never is free. */
const ATTEMPTS = 30;
const PAUSE_MS = 1_000;

async function apply(client: pg.Client, migration: Migration, attempt = 1): Promise<void> {
  await client.query(BEGIN);
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await runStatements(client, migration);
    // Where the volume tables are spread over a cluster, new ones join them.
    await distribute(client, await lateTables(client));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    if (!NOT_FREE.has((error as { code?: string }).code) || attempt === ATTEMPTS)
      throw new Error(`migration ${migration.name} failed`, { cause: error });
    await delay(PAUSE_MS);
    await apply(client, migration, attempt + 1);
  }
}

/** A later version has migrated already: this one serves on, for migrations only add while the version before them may run. */
function warnOfLater(applied: Map<number, string>, known: Migration[], log: Log): void {
  const numbers = new Set(known.map(({ number }) => number));
  const later = [...applied.keys()].filter((number) => number > LAST_BEFORE_BASELINE && !numbers.has(number));
  if (later.length > 0) log.warn({ migrations: later }, 'the schema is of a later version than this service');
}

/** The checksums of what was applied, by number. Throws `SchemaTooOld`, or notes the baseline where all of it is there. */
async function readApplied(client: pg.Client, known: Migration[], log: Log): Promise<Map<number, string>> {
  await client.query(TABLE);
  const { rows } = await client.query<{ nummer: number; pruefsumme: string }>(
    'SELECT nummer, pruefsumme FROM migrationen',
  );
  const numbers = rows.map(({ nummer }) => nummer);
  const stand = standOf(numbers);
  if (stand === 'less') throw tooOld(numbers);
  const applied = new Map(rows.map((row) => [row.nummer, row.pruefsumme]));
  const baseline = known.find(({ number }) => number === BASELINE);
  if (stand === 'counts as baseline' && baseline) {
    await requirePieces(client);
    await noteApplied(client, baseline);
    applied.set(BASELINE, baseline.checksum);
    log.info({ migration: baseline.name }, 'the schema counts as migrated');
  }
  return applied;
}

/**
 * Brings the schema up to date. Throws when an applied file was changed afterwards, and `SchemaTooOld` before anything is changed
 * where a version in between must come first.
 */
export async function migrate(connection: pg.ClientConfig, log: Log): Promise<void> {
  const client = createClient({ ...connection, application_name: 'zaehlwerk-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [SCHEMA_LOCK]);
    const known = readMigrations();
    const applied = await readApplied(client, known, log);
    warnOfLater(applied, known, log);
    for (const migration of known) {
      const checksum = applied.get(migration.number);
      if (checksum === migration.checksum) continue;
      if (checksum !== undefined)
        throw new Error(`migration ${migration.name} was changed after it was applied`);
      await apply(client, migration);
      log.info({ migration: migration.name }, 'schema migrated');
    }
  } finally {
    await client.end();
  }
}

/** Without `full_page_writes` a page that was half written when the power went is lost with all that is in it. */
const SETTINGS = `SELECT concat_ws(' ', current_setting('fsync'), current_setting('full_page_writes'),
  current_setting('synchronous_commit')) AS settings`;

/** The settings of the workers of a cluster, asked of its coordinator; a server that is none has no workers. */
async function settingsOfWorkers(client: pg.Client): Promise<{ node: string; settings: string }[]> {
  if (!(await isCoordinator(client))) return [];
  const { rows } = await client.query<{ node: string; settings: string }>(
    `SELECT 'Arbeitsknoten ' || nodename || ':' || nodeport AS node, result AS settings FROM run_command_on_workers($1)`,
    [SETTINGS],
  );
  return rows;
}

/** 202 means durable: a server that does not flush its commits to disk is refused, or a cluster with one that does not. */
export async function requireDurability(connection: pg.ClientConfig): Promise<void> {
  const client = createClient(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ settings: string }>(SETTINGS);
    const servers = [
      { node: 'Server', settings: rows[0]?.settings ?? '' },
      ...(await settingsOfWorkers(client)),
    ];
    // What a worker that cannot be asked answers is no such triple either.
    const faulty = servers.find(({ settings }) => !/^on on (on|local|remote_\w+)$/.test(settings));
    if (faulty) {
      throw new Error(
        `DATABASE_URL: Der ${faulty.node} läuft nicht mit fsync=on, full_page_writes=on und synchronous_commit=on („${faulty.settings}“); so ginge Angenommenes verloren.`,
      );
    }
  } finally {
    await client.end();
  }
}
