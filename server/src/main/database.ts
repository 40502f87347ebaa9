/** Where the database is: the server named by DATABASE_URL, or the embedded one. */
import type pg from 'pg';
import { makeMonths } from '#domains/ereignisse/index.ts';
import type { Config } from '#platform/config.ts';
import { lockDataDir } from '#platform/data-dir-lock.ts';
import type { Archive } from '#platform/database/archive/index.ts';
import {
  type Connections,
  createClient,
  createPool,
  findEmbedded,
  hasDataFiles,
  migrate,
  openRequestLogin,
  requireDurability,
  requireOwnerRights,
  startEmbedded,
} from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { loadSecretKey } from '#platform/secret-box.ts';

export interface OpenDatabase {
  /** As the owner. */
  connection: pg.ClientConfig;
  stop(): Promise<void>;
}

/** A database that requests may be made of. */
export interface OpenForRequests extends OpenDatabase, Connections {}

/** Where the embedded database keeps its log, and under which key; null where it keeps none. */
export const archiveOf = ({ walArchive, secretKey, dataDir }: Config): Archive | null =>
  walArchive === null ? null : { folder: walArchive, secretKey: loadSecretKey(secretKey, dataDir) };

async function startOwn(config: Config, log: Log): Promise<OpenForRequests> {
  const { dataDir } = config;
  const lock = await lockDataDir(dataDir);
  const { connection, requests, stop: stopServer } = await startEmbedded(dataDir, log, archiveOf(config));
  const stop = async () => {
    await stopServer();
    await lock.release();
  };
  try {
    await requireDurability(connection);
    return { connection, requests, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Looks at a server that others run: one that would lose commits or cannot count is refused. */
async function findServer(url: string, log: Log): Promise<OpenDatabase> {
  const connection = { connectionString: url };
  await requireDurability(connection);
  await requireOwnerRights(connection, log);
  return { connection, stop: async () => undefined };
}

/** Migrations and what else the start adds to the schema; a database that cannot be brought so far is stopped. */
export async function bringUpToDate<T extends OpenDatabase>(database: T, log: Log): Promise<T> {
  try {
    await migrate(database.connection, log);
    const pool = createPool(
      { connection: database.connection, max: 1, statementTimeout: 60_000, name: 'start' },
      log,
    );
    const owner = createOwnerDatabase(pool);
    await makeMonths(owner).finally(() => owner.close());
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Starts or finds the database, refuses one that would lose commits, and brings its schema up to date. */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const { databaseUrl: url } = config;
  return bringUpToDate(url === null ? await startOwn(config, log) : await findServer(url, log), log);
}

/** Starts or finds the database with all its roles, and leaves its schema as it is. */
export async function openAsItIs(config: Config, log: Log): Promise<OpenForRequests> {
  const { databaseUrl: url, requestDatabaseUrl, secretKey, dataDir } = config;
  if (url === null) return startOwn(config, log);
  const server = await findServer(url, log);
  const requests = await openRequestLogin(url, requestDatabaseUrl, () => loadSecretKey(secretKey, dataDir));
  // What is accepted is written by requests, whose role may have settings of its own.
  await requireDurability(requests);
  return { ...server, requests };
}

/** As `openDatabase`, and finds out how requests sign in, before anything is changed. */
export const openForRequests = async (config: Config, log: Log): Promise<OpenForRequests> =>
  bringUpToDate(await openAsItIs(config, log), log);

/** There is nothing to work on where the configuration points. */
export class NoDatabase extends Error {}

/** Nobody listens at the socket. */
const NOT_RUNNING = new Set(['ENOENT', 'ECONNREFUSED']);

async function isRunning(connection: pg.ClientConfig): Promise<boolean> {
  const client = createClient(connection);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (NOT_RUNNING.has((error as { code?: string }).code ?? '')) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** The embedded database of a service that runs; null where none does. */
async function findRunning({ dataDir }: Config): Promise<OpenDatabase | null> {
  const found = findEmbedded(dataDir);
  return found && (await isRunning(found.connection))
    ? { connection: found.connection, stop: async () => undefined }
    : null;
}

/** As `openDatabase`, also while a service of the former version runs on the database. */
export async function openToMigrate(config: Config, log: Log): Promise<OpenDatabase> {
  const running = config.databaseUrl === null ? await findRunning(config) : null;
  return running ? bringUpToDate(running, log) : openDatabase(config, log);
}

/**
 * The database of the service, which may be running: then its schema is the service's business. Else it is started for
 * as long as it is needed, by `open`. Throws `NoDatabase` where no service has ever run.
 */
export async function reachDatabase(
  config: Config,
  log: Log,
  open: (config: Config, log: Log) => Promise<OpenDatabase> = openDatabase,
): Promise<OpenDatabase> {
  if (config.databaseUrl)
    return { connection: { connectionString: config.databaseUrl }, stop: async () => undefined };
  if (!hasDataFiles(config.dataDir))
    throw new NoDatabase(
      `DATA_DIR: In „${config.dataDir}“ liegt keine Datenbank, oder sie gehört einem anderen Benutzer.`,
    );
  return (await findRunning(config)) ?? open(config, log);
}
