/** The data files of the embedded PostgreSQL: made whole or not at all. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Directory of the data files below the service's data directory. */
const CLUSTER = 'postgres';
export const dataFilesOf = (dataDir: string): string => join(dataDir, CLUSTER);
/** Whether there are data files, as far as this user may see. */
export const hasDataFiles = (dataDir: string): boolean =>
  existsSync(join(dataFilesOf(dataDir), 'PG_VERSION'));
/** What the data files are made in, followed by letters of chance. */
const UNFINISHED = `${CLUSTER}.neu-`;
const REMOVAL_PATIENCE = 10_000;

/** The system user that PostgreSQL runs as; nothing is set when it is the user of this process. */
export interface Account {
  uid?: number;
  gid?: number;
}

/** Makes the data directory reachable for the server's user; says which directory is closed to it. */
function prepareDirectory(dataDir: string, account: Account): void {
  mkdirSync(dataDir, { recursive: true });
  if (account.uid === undefined) return;
  chmodSync(dataDir, statSync(dataDir).mode | 0o011);
  for (let directory = dirname(dataDir); directory !== dirname(directory); directory = dirname(directory)) {
    if ((statSync(directory).mode & 0o001) === 0) {
      throw new Error(
        `DATA_DIR: PostgreSQL läuft als Benutzer „postgres“ und kann „${directory}“ nicht betreten.`,
      );
    }
  }
}

/** A name in a directory is on disk once the directory is. */
function flushDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes a directory in which somebody may still be writing or removing, either of which can cut a removal short. */
async function remove(directory: string): Promise<void> {
  const deadline = Date.now() + REMOVAL_PATIENCE;
  while (existsSync(directory)) {
    try {
      await rm(directory, { recursive: true, force: true });
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(20);
    }
  }
}

/** Removes what killed attempts to make data files have left behind. */
export async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(UNFINISHED)))
    await remove(join(dataDir, name));
}

/** A directory of the server's user, closed to others, that the next start removes. */
export function makeUnfinished(dataDir: string, account: Account): string {
  prepareDirectory(dataDir, account);
  const directory = mkdtempSync(join(dataDir, UNFINISHED));
  if (account.uid !== undefined && account.gid !== undefined) chownSync(directory, account.uid, account.gid);
  return directory;
}

/**
 * Makes the data files of a server unless they are there, with `user` as its superuser; returns their
 * directory. They are made aside and get its name when they are complete and on disk: whenever the service is killed,
 * there are all of them or none. An `initdb` it leaves behind works in a directory of its own, and ends when that is
 * taken away.
 */
export async function makeDataFiles(
  dataDir: string,
  initdb: string,
  user: string,
  account: Account,
): Promise<string> {
  const cluster = dataFilesOf(dataDir);
  prepareDirectory(dataDir, account);
  await removeUnfinished(dataDir);
  if (hasDataFiles(dataDir)) return cluster;
  const unfinished = makeUnfinished(dataDir, account);
  const settings = [
    '--auth-local=peer',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
  ];
  execFileSync(initdb, [`--pgdata=${unfinished}`, `--username=${user}`, ...settings], {
    ...account,
    cwd: unfinished,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  renameSync(unfinished, cluster);
  flushDirectory(dataDir);
  return cluster;
}
