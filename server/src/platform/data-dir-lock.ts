/**
 * One service per data directory. The lock is one of the operating system's on a file in it (taken through SQLite, since
 * Node has no call of its own for that): it is taken in one step, and goes with the process that holds it, however that
 * ends. A file with a process id would stay behind, and its removal may hit a new one.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
/** A database that nobody refers to is closed, and its lock with it. */
const held = new Set<DatabaseSync>();

/** Another process has the directory. */
export class DataDirInUse extends Error {}

export interface DataDirLock {
  release(): Promise<void>;
}

/** Throws `DataDirInUse` when another running service uses the directory. */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'dienst.lock');
  const database = new DatabaseSync(path);
  try {
    // A user who can read the file could lock it, too.
    chmodSync(path, 0o600);
    // Nothing is ever written: the file stays empty.
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new DataDirInUse(`DATA_DIR: „${dataDir}“ wird schon von einem laufenden Dienst benutzt.`);
  }
  held.add(database);
  return {
    async release() {
      held.delete(database);
      database.close();
    },
  };
}
