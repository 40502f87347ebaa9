/**
 * Back to an instant: a base and its log, in data files that get their name when PostgreSQL has gone there. All of it is checked before, and
 * the log lies beside the data files meanwhile: PostgreSQL, as its own user, needs no way into the archive.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { flush, requireRoom } from '../backup/folder.ts';
import { BackupRefused } from '../backup/manifest.ts';
import { archiveKey } from '../backup/signature.ts';
import { SYSTEM_ROLE, writeAccessRules } from '../embedded/access.ts';
import { type Binaries, findAccount, findBinaries } from '../embedded/binaries.ts';
import { type Account, dataFilesOf, makeUnfinished, removeUnfinished } from '../embedded/data-files.ts';
import { hasEnded, waitUntilReady } from '../embedded/ready.ts';
import { flagsOf } from '../embedded/settings.ts';
import { makeSocketDirectory } from '../embedded/socket.ts';
import { type Chosen, choose, gapBefore, type Until, type Wanted } from './choose.ts';
import { unpackBase } from './copy-files.ts';
import { isOurs, packedName } from './packed.ts';
import type { Archive } from './place.ts';
import { historyName, segmentName } from './segments.ts';
import { archiveFrom, program, quoted } from './server-settings.ts';

export interface RecoverOptions extends Wanted {
  dataDir: string;
  /** Where the log goes on to be kept; null: nowhere. */
  archive: Archive | null;
  log: Log;
}

export interface Recovered {
  base: string;
  /** The line that was followed. */
  timeline: number;
  /** Of the last commit that is in it, ISO 8601; null where none is beyond the base. */
  stand: string | null;
}

/** Copies what leads to the instant, each file checked against its MAC, in a directory of the server's user. */
async function stage(chosen: Chosen, directory: string, key: Buffer | null, account: Account): Promise<void> {
  const { base, path, histories } = chosen;
  for (const name of [...path.segments.map(segmentName), ...histories.map(historyName)]) {
    const packed = await readFile(join(base.place.log, packedName(name)));
    if (key !== null && !isOurs(name, packed, key))
      throw new BackupRefused(
        `Im Archiv ist „${packedName(name)}“ beschädigt oder nicht von dieser Installation unterschrieben. Geändert wurde nichts.`,
      );
    const target = join(directory, packedName(name));
    await writeFile(target, packed, { flag: 'wx', mode: 0o600 });
    if (account.uid !== undefined && account.gid !== undefined) await chown(target, account.uid, account.gid);
  }
}

async function requireRoomForAll({ base, path }: Chosen, dataDir: string): Promise<void> {
  let bytes = base.manifest.umfang;
  for (const segment of path.segments)
    bytes += (await stat(join(base.place.log, packedName(segmentName(segment))))).size;
  await requireRoom(dataDir, bytes);
}

/** Where this is read, PostgreSQL has no names of zones yet, `Z` among them. */
const withOffset = (instant: Date): string => instant.toISOString().replace('Z', '+00');

const settingsFor = ({ line }: Chosen, until: Until, log: string): Record<string, string> => ({
  restore_command: `${[process.execPath, program('restore-command.ts'), log].map(quoted).join(' ')} '%f' '%p'`,
  recovery_target_timeline: String(line.timeline),
  ...(until === 'ende' ? {} : { recovery_target_time: withOffset(until), recovery_target_action: 'promote' }),
  // Nobody is let in before it is there.
  hot_standby: 'off',
});

/** Why PostgreSQL gave up, as a sentence. */
function refusalOf(words: string, { path }: Chosen): BackupRefused {
  const reached = /last completed transaction was at log time (\S+ \S+)/.exec(words)?.[1];
  const end = reached
    ? `bis ${new Date(`${reached.replace(' ', 'T').replace(/[+-]00$/, '')}Z`).toISOString()}`
    : 'nicht so weit';
  if (!/before configured recovery target was reached/.test(words))
    return new BackupRefused(
      `PostgreSQL kommt mit dieser Grundlage nicht zurecht: ${words.trim().split('\n').slice(-3).join(' ')}`,
    );
  if (path.missing) return gapBefore(path.missing);
  return new BackupRefused(
    `Das Archiv reicht nur ${end}. Alles, was es hat, bringt „ende“ statt eines Zeitpunkts. Geändert wurde nichts.`,
  );
}

async function readStand(host: string): Promise<string | null> {
  const client = new pg.Client({ host, user: SYSTEM_ROLE, database: 'postgres', options: '-c TimeZone=UTC' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ stand: Date | null }>(
      'SELECT pg_last_xact_replay_timestamp() AS stand',
    );
    return rows[0]?.stand?.toISOString() ?? null;
  } finally {
    await client.end();
  }
}

interface Run {
  binaries: Binaries;
  account: Account;
  cluster: string;
  settings: Record<string, string>;
  env: Record<string, string>;
}

/** Runs the server until it has gone to the instant and stopped in good order. */
async function runOnce(run: Run, chosen: Chosen): Promise<string | null> {
  const { binaries, account, cluster } = run;
  const socket = makeSocketDirectory(cluster, account);
  const flags = flagsOf(cluster, { unix_socket_directories: socket.path, ...run.settings });
  const child = spawn(binaries.postgres, flags, {
    ...account,
    cwd: cluster,
    env: { ...process.env, ...run.env },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    // The last of what it says is about its end.
    words = (words + chunk.toString()).slice(-16_384);
  });
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
    child.once('error', (error) => {
      words += error.message;
      done();
    });
  });
  try {
    await waitUntilReady(socket.path, child, () => words);
    const stand = await readStand(socket.path);
    child.kill('SIGINT');
    await ended;
    return stand;
  } catch (error) {
    if (!hasEnded(child)) child.kill('SIGQUIT');
    else throw refusalOf(words, chosen);
    throw error;
  } finally {
    await ended;
    socket.remove();
  }
}

async function recoverInto(cluster: string, staged: string, chosen: Chosen, options: RecoverOptions) {
  const { until, archive, log, secretKey } = options;
  const binaries = await findBinaries();
  const account = findAccount();
  await stage(chosen, staged, secretKey === 'unsigned' ? null : archiveKey(secretKey), account);
  await unpackBase(chosen.base, cluster, account);
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined)
    await chown(join(cluster, 'recovery.signal'), account.uid, account.gid);
  writeAccessRules(cluster, account);
  const archiving = archive && archiveFrom(cluster, archive, account, log);
  const settings = { ...settingsFor(chosen, until, staged), ...archiving?.settings };
  return runOnce({ binaries, account, cluster, settings, env: { ...archiving?.env } }, chosen);
}

/**
 * Makes the data files of an instant; the caller has locked the data directory. Throws `BackupRefused` where there are some already, or the archive
 * does not lead there; then nothing has changed. Killed at any time, it leaves no data files.
 */
export async function recoverTo(options: RecoverOptions): Promise<Recovered> {
  const { dataDir } = options;
  const target = dataFilesOf(dataDir);
  if (existsSync(target))
    throw new BackupRefused(
      `In „${dataDir}“ liegt schon eine Datenbank („${basename(target)}“); bitte legen Sie sie vorher beiseite.`,
    );
  const chosen = await choose(options);
  await mkdir(dataDir, { recursive: true });
  await removeUnfinished(dataDir);
  await requireRoomForAll(chosen, dataDir);
  const account = findAccount();
  const cluster = makeUnfinished(dataDir, account);
  const staged = makeUnfinished(dataDir, account);
  try {
    const stand = await recoverInto(cluster, staged, chosen, options);
    await rename(cluster, target);
    await flush(dataDir);
    return { base: chosen.base.name, timeline: chosen.line.timeline, stand };
  } finally {
    for (const directory of [cluster, staged]) await rm(directory, { recursive: true, force: true });
  }
}
