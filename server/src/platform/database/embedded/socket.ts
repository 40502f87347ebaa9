/** Where the socket of a server lies: in a directory that nobody else can have prepared, and where others find it. */
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './data-files.ts';

/** Paths of sockets are limited to about 100 bytes; the name of the socket comes on top. */
const LONGEST = 80;
const isShort = (cluster: string): boolean => Buffer.byteLength(cluster) < LONGEST;

export interface SocketDirectory {
  path: string;
  /** Once the server has stopped. */
  remove(): void;
}

/**
 * The directory of the data files, which is closed to others; where its path is too long for a socket, a new one in the
 * temporary directory. A name that could be foretold might be there already: another user's, open to all, or a link.
 */
export function makeSocketDirectory(cluster: string, account: Account): SocketDirectory {
  if (isShort(cluster)) return { path: cluster, remove: () => undefined };
  // Its mode is 0700 from the first moment, so that only its owner can have put anything into it.
  const path = mkdtempSync(join(tmpdir(), 'zw-'));
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Whether a directory is one, no link to one, and belongs to the owner of the data files alone. */
function isOwn(directory: string, cluster: string): boolean {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return (
    found?.isDirectory() === true && found.uid === statSync(cluster).uid && (found.mode & 0o777) === 0o700
  );
}

/**
 * The directory in which the server of these data files listens if it runs; null when none says where. PostgreSQL notes it
 * among the data files, where nobody else can write; a copy of them has the note of another server.
 */
export function findSocketDirectory(cluster: string): string | null {
  if (isShort(cluster)) return cluster;
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const [, dataFiles, , , directory] = readFileSync(file, 'utf8').split('\n');
  if (!dataFiles || !existsSync(dataFiles) || realpathSync(dataFiles) !== realpathSync(cluster)) return null;
  return directory && isOwn(directory, cluster) ? directory : null;
}
