/** Data files into a base, and out of one. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chown, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupRefused } from '../backup/manifest.ts';
import { meter } from '../backup/meter.ts';
import type { Account } from '../embedded/data-files.ts';
import { type Base, FILES } from './base-manifest.ts';

/** What a server makes anew, or must not find (PostgreSQL's manual, "Low Level Base Backup"). */
const EMPTIED = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|.*\.signal|current_logfiles|pg_internal\.init.*|pgsql_tmp.*|\.s\.PGSQL\..*|.*\.(neu|tmp))$/;
const OF_THE_LOG = ['pg_wal/archive_status', 'pg_wal/summaries'];
const CONTROL = 'global/pg_control';

export interface DataFiles {
  directories: string[];
  files: string[];
}

/** What of a cluster goes into a base, by its path; what stands in a directory after it. */
async function* entriesOf(
  cluster: string,
  within = '',
): AsyncGenerator<{ path: string; isDirectory: boolean }> {
  for (const entry of await readdir(join(cluster, within), { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const path = within === '' ? entry.name : `${within}/${entry.name}`;
    const isDirectory = entry.isDirectory();
    if (isDirectory || entry.isFile()) yield { path, isDirectory };
    if (isDirectory && !EMPTIED.has(path)) yield* entriesOf(cluster, path);
  }
}

/** Which there are; the one that says where the log is replayed from comes last. */
export async function findDataFiles(cluster: string): Promise<DataFiles> {
  const found: DataFiles = { directories: [...OF_THE_LOG], files: [] };
  for await (const { path, isDirectory } of entriesOf(cluster)) {
    if (isDirectory) found.directories.push(path);
    else if (path !== CONTROL) found.files.push(path);
  }
  return { directories: found.directories.sort(), files: [...found.files, CONTROL] };
}

const isGone = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';

/** It may be written while it is read: read until it is the same twice. */
async function readSettled(path: string): Promise<Buffer> {
  for (let last = await readFile(path); ; ) {
    const now = await readFile(path);
    if (now.equals(last)) return now;
    last = now;
  }
}

export interface CopiedFile {
  name: string;
  hash: string;
  /** Bytes before they were packed. */
  bytes: number;
}

const nameInBase = (path: string): string => `${FILES}/${path}.zst`;

/** Packs one; null where it was removed meanwhile, which the log knows about. */
export async function packFile(
  source: string | Buffer,
  directory: string,
  path: string,
): Promise<CopiedFile | null> {
  const name = nameInBase(path);
  const target = join(directory, name);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const plain = meter();
  const packed = meter();
  const content = path === CONTROL && typeof source === 'string' ? await readSettled(source) : source;
  const from = typeof content === 'string' ? createReadStream(content) : [content];
  try {
    const file = createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(from, plain.through, createZstdCompress(), packed.through, file);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
  return { name, hash: packed.hash(), bytes: plain.bytes() };
}

/** Most of the time goes into waiting for the disk, file by file. */
const AT_ONCE = 8;

/** Does the work for every path, a few at once; the first failure ends it. */
export async function forEachFile(
  paths: Iterable<string>,
  work: (path: string) => Promise<void>,
): Promise<void> {
  const rest = paths[Symbol.iterator]();
  let failed = false;
  const worker = async () => {
    for (let next = rest.next(); !next.done && !failed; next = rest.next())
      await work(next.value).catch((error: unknown) => {
        failed = true;
        throw error;
      });
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

const damaged = (name: string) =>
  new BackupRefused(
    `Die Grundlage ist beschädigt: „${name}“ ist nicht, was geschrieben wurde. Geändert wurde nichts.`,
  );

/** Unpacks one that a base lists; throws `BackupRefused` where it is not what was written. */
async function unpackFile(base: Base, name: string, target: string, account: Account): Promise<void> {
  const packed = meter();
  const file = createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(
      createReadStream(join(base.directory, name)),
      packed.through,
      createZstdDecompress(),
      file,
    );
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code === 'ENOENT') throw new BackupRefused(`Der Grundlage fehlt „${name}“.`);
    if (code.startsWith('ZSTD') || code === 'Z_BUF_ERROR') throw damaged(name);
    throw error;
  }
  if (packed.hash() !== base.sums.get(name)) throw damaged(name);
  if (account.uid !== undefined && account.gid !== undefined) await chown(target, account.uid, account.gid);
}

/** Unpacks a base into an empty directory, for the user of the server. */
export async function unpackBase(base: Base, cluster: string, account: Account): Promise<void> {
  for (const path of base.manifest.verzeichnisse) {
    await mkdir(join(cluster, path), { recursive: true, mode: 0o700 });
    if (account.uid !== undefined && account.gid !== undefined)
      await chown(join(cluster, path), account.uid, account.gid);
  }
  await forEachFile(base.sums.keys(), async (name) => {
    const [, path] = /^daten\/(.+)\.zst$/.exec(name) ?? [];
    if (path !== undefined) await unpackFile(base, name, join(cluster, path), account);
  });
}

/** Whether every file of a base is what was written. */
export async function isWholeBase({ directory, sums }: Base): Promise<boolean> {
  for (const [name, hash] of sums) {
    const found = createHash('sha256');
    try {
      for await (const chunk of createReadStream(join(directory, name))) found.update(chunk as Buffer);
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
    if (found.digest('hex') !== hash) return false;
  }
  return true;
}
