/** What has the embedded server keep its log in the archive. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../log.ts';
import { archiveKey } from '../backup/signature.ts';
import type { Account } from '../embedded/data-files.ts';
import { KEY_VARIABLE } from './key-variable.ts';
import { type Archive, type ArchivePlace, placeOf } from './place.ts';

/** With a segment begun anew after this time, no more than this is lost with the disk. */
const TIMEOUT_SECONDS = 60;

/** For the shell, and for PostgreSQL, which reads `%`. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`;
export const program = (name: string): string => join(import.meta.dirname, name);

export interface Archiving {
  settings: Record<string, string>;
  env: Record<string, string>;
}

/** The folder itself is the operator's: one that is not there may be a disk that is not mounted. */
function prepare(folder: string, { log, bases }: ArchivePlace, account: Account): void {
  if (!existsSync(folder)) throw new Error(`WAL_ARCHIV: „${folder}“ gibt es nicht.`);
  for (const directory of [dirname(log), log, bases]) mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (account.uid === undefined || account.gid === undefined) return;
  chownSync(log, account.uid, account.gid);
  for (const directory of [folder, dirname(log)]) chmodSync(directory, statSync(directory).mode | 0o011);
}

/** Whether PostgreSQL, as its own user, can run the command and write there; throws with what hinders it. */
function tryOut({ log }: ArchivePlace, account: Account, cluster: string): void {
  const { status, stderr, error } = spawnSync(process.execPath, [program('archive-command.ts'), log], {
    ...account,
    cwd: cluster,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`WAL_ARCHIV: ${error?.message ?? String(stderr).trim()}`);
}

/** Has the histories archived that were made while nobody archived: without them the number of a line could be given twice. */
function askForHistories(cluster: string, account: Account): void {
  const states = join(cluster, 'pg_wal/archive_status');
  for (const name of readdirSync(join(cluster, 'pg_wal')).filter((entry) => entry.endsWith('.history'))) {
    if (existsSync(join(states, `${name}.done`)) || existsSync(join(states, `${name}.ready`))) continue;
    const path = join(states, `${name}.ready`);
    writeFileSync(path, '', { mode: 0o600 });
    if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
  }
}

/**
 * Settings and environment of the server. A folder that cannot be used does not keep the service from starting: PostgreSQL holds its log back and
 * tries again, and the status says so.
 */
export function archiveFrom(cluster: string, archive: Archive, account: Account, log: Log): Archiving {
  const place = placeOf(archive.folder, cluster);
  try {
    prepare(archive.folder, place, account);
    tryOut(place, account, cluster);
    askForHistories(cluster, account);
    if (statSync(archive.folder).dev === statSync(cluster).dev)
      log.warn(
        { folder: archive.folder },
        'the archive lies on the disk of the database, and is lost with it',
      );
  } catch (error) {
    log.error(
      { err: error, folder: archive.folder },
      'the archive cannot be written to; the log is held back',
    );
  }
  const command = [process.execPath, program('archive-command.ts'), place.log].map(quoted).join(' ');
  return {
    settings: {
      archive_mode: 'on',
      archive_command: `${command} '%p' '%f'`,
      archive_timeout: String(TIMEOUT_SECONDS),
    },
    env: { [KEY_VARIABLE]: archiveKey(archive.secretKey).toString('hex') },
  };
}
