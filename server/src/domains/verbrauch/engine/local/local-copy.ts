/**
 * The file of the local copy. It is made of what PostgreSQL has, and can be made again at any time: one that is torn, or of another form,
 * is deleted.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { DataDirInUse, type DataDirLock, lockDataDir } from '#platform/data-dir-lock.ts';
import type { LocalCopy } from '../messages.ts';
import { SCHEMA } from './tables.ts';

/** Each process has a folder; more of them do not share a disk. */
const MOST_PROCESSES = 64;
/** Milliseconds after which a folder that nobody uses is removed. */
const UNUSED = 24 * 3_600_000;
/** What does not fit into the memory may take up this part of the room. */
const SPILLED = 4;
const FILE = 'summen.duckdb';

interface Place {
  folder: string;
  lock: DataDirLock;
}

async function tryPlace(folder: string): Promise<Place | null> {
  try {
    return { folder, lock: await lockDataDir(folder) };
  } catch (error) {
    if (error instanceof DataDirInUse) return null;
    throw error;
  }
}

/** The first folder that no other process has. */
async function takePlace(parent: string): Promise<Place> {
  for (let number = 0; number < MOST_PROCESSES; number += 1) {
    const place = await tryPlace(join(parent, String(number)));
    if (place) return place;
  }
  throw new Error(`all ${MOST_PROCESSES} places in ${parent} are taken`);
}

/** Removes the folders of processes that are not there any more. */
async function removeUnused(parent: string, own: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name);
    const file = statSync(join(folder, FILE), { throwIfNoEntry: false });
    if (folder === own || (file && Date.now() - file.mtimeMs < UNUSED)) continue;
    const place = await tryPlace(folder);
    if (!place) continue;
    rmSync(folder, { recursive: true, force: true });
    await place.lock.release();
  }
}

/** A process that may read and write nothing but its file, and may not change that. */
async function openInstance(folder: string, { memory, threads, bytes }: LocalCopy): Promise<DuckDBInstance> {
  const spilled = join(folder, 'ausgelagert');
  rmSync(spilled, { recursive: true, force: true });
  const instance = await DuckDBInstance.create(join(folder, FILE), {
    memory_limit: `${Math.floor(memory / 2 ** 20)}MiB`,
    threads: String(threads),
    temp_directory: spilled,
    max_temp_directory_size: `${Math.ceil(bytes / SPILLED / 2 ** 20)}MiB`,
    // Groups come in any order, which takes less memory.
    preserve_insertion_order: 'false',
  });
  const connection = await instance.connect();
  try {
    await connection.run('SET enable_external_access = false; SET lock_configuration = true');
  } finally {
    connection.closeSync();
  }
  return instance;
}

/** Whether the file is of this form; an empty one is made so. */
async function prepare(connection: DuckDBConnection): Promise<boolean> {
  const tables = await (await connection.run('SELECT table_name FROM duckdb_tables()')).getRows();
  if (tables.length === 0) {
    await connection.run(`BEGIN; ${SCHEMA}; INSERT INTO form VALUES ($$${SCHEMA}$$); COMMIT`);
    return true;
  }
  const rows = await (await connection.run('SELECT form FROM form')).getRows();
  return rows[0]?.[0] === SCHEMA;
}

async function tryOpen(folder: string, copy: LocalCopy): Promise<DuckDBInstance | null> {
  let instance: DuckDBInstance | null = null;
  try {
    instance = await openInstance(folder, copy);
    const connection = await instance.connect();
    const isPrepared = await prepare(connection);
    connection.closeSync();
    if (isPrepared) return instance;
  } catch (error) {
    console.error('the local copy of consumption is made again:', error);
  }
  instance?.closeSync();
  return null;
}

export interface OpenedCopy {
  instance: DuckDBInstance;
  /** Deletes the file: the next process makes it again. */
  discard(): void;
  close(): Promise<void>;
}

export async function openLocalCopy(copy: LocalCopy): Promise<OpenedCopy> {
  mkdirSync(copy.folder, { recursive: true, mode: 0o700 });
  const { folder, lock } = await takePlace(copy.folder);
  await removeUnused(copy.folder, folder);
  const remove = () => {
    for (const name of [FILE, `${FILE}.wal`]) rmSync(join(folder, name), { recursive: true, force: true });
  };
  if (copy.isSuspect) remove();
  let instance = await tryOpen(folder, copy);
  if (!instance) {
    remove();
    instance = await openInstance(folder, copy);
    const connection = await instance.connect();
    await prepare(connection);
    connection.closeSync();
  }
  return {
    instance,
    discard: remove,
    async close() {
      instance.closeSync();
      await lock.release();
    },
  };
}
