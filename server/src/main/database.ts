/** Where the database is: the server named by DATABASE_URL, or the embedded one. */
import pg from 'pg';
import { makeMonths } from '#domains/ereignisse/index.ts';
import type { Config } from '#platform/config.ts';
import { lockDataDir } from '#platform/data-dir-lock.ts';
import {
  createPool,
  findEmbedded,
  migrate,
  requireDurability,
  startEmbedded,
} from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';

export interface OpenDatabase {
  connection: pg.ClientConfig;
  stop(): Promise<void>;
}

async function openEmbedded(config: Config, log: Log): Promise<OpenDatabase> {
  const lock = await lockDataDir(config.dataDir);
  const embedded = await startEmbedded(config.dataDir, log);
  return {
    connection: embedded.connection,
    async stop() {
      await embedded.stop();
      await lock.release();
    },
  };
}

/** Starts or finds the database, refuses one that would lose commits, and brings its schema up to date. */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const database: OpenDatabase = config.databaseUrl
    ? { connection: { connectionString: config.databaseUrl }, stop: async () => undefined }
    : await openEmbedded(config, log);
  try {
    await requireDurability(database.connection);
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

/** There is nothing to work on where the configuration points. */
export class NoDatabase extends Error {}

/** Nobody listens at the socket. */
const NOT_RUNNING = new Set(['ENOENT', 'ECONNREFUSED']);

async function isRunning(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection);
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

/**
 * The database of the service, which may be running: then its schema is the service's business. Else it is started for
 * as long as it is needed. Throws `NoDatabase` where no service has ever run.
 */
export async function reachDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const stop = async () => undefined;
  if (config.databaseUrl) return { connection: { connectionString: config.databaseUrl }, stop };
  const connection = findEmbedded(config.dataDir);
  if (!connection)
    throw new NoDatabase(
      `DATA_DIR: In „${config.dataDir}“ liegt keine Datenbank, oder sie gehört einem anderen Benutzer.`,
    );
  return (await isRunning(connection)) ? { connection, stop } : openDatabase(config, log);
}
