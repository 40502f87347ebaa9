/** The service as users start it, in a process and a data directory of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { OWNER_ROLE, SYSTEM_ROLE } from '#platform/database/index.ts';
import { buildService } from '../server/build.ts';

/** The process of the engine. */
interface EngineWatch {
  /** Its process id, another one once it was replaced; undefined where there is none. */
  pid(): number | undefined;
  /** Its seconds of CPU, those of threads that have ended among them; 0 where there is none. */
  cpu(): number;
  /** Bytes of its file. */
  bytes(): number;
}

export interface BenchService {
  address: string;
  pid: number;
  /** A key with both scopes. */
  key: string;
  mandant: string;
  /** The session of the account's user. */
  cookie: string;
  /** Owner of the database. */
  connect(): Promise<pg.Client>;
  /** One connection of the owner's for what is looked at again and again. */
  watcher(): Promise<pg.Client>;
  /** Has the database write out what it holds, which only its superuser may ask for. */
  checkpoint(): Promise<void>;
  /** Process id of the PostgreSQL server. */
  postmaster(): number;
  /** Resident memory of the Node process in MiB. */
  rss(): number;
  /** Seconds of CPU that the Node process, its engine for sums and PostgreSQL have used so far. */
  cpu(): number;
  /** Of the Node process and of the connections to the database alone, to the microsecond: what its maintenance takes comes at any time. */
  cpuOfWork(): Promise<number>;
  engine: EngineWatch;
  /** Memory in MiB of the service and of its engine: their share of pages that several have (PSS). */
  pss(): { service: number; engine: number };
  stop(): Promise<void>;
}

/** Of `getconf CLK_TCK`. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU of a process and of those of its children that have ended. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // What comes behind the name, which may hold anything: state is field 3, utime to cstime are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

/** Seconds of CPU of the threads of a process that are there, by the scheduler's own clock; 0 of one that has ended. */
function exactCpuOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const ran = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
    return ran.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e9, 0);
  } catch {
    return 0;
  }
}

const CONNECTIONS = `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** The child that adds up pieces. */
const engineOf = (pid: number): number | undefined =>
  childrenOf(pid).find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('engine-process'));

/** The process's share of all pages it has, in MiB; 0 where there is none. */
function pssOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Math.round(Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024);
}

const watchEngine = (pid: number, dataDir: string): EngineWatch => ({
  pid: () => engineOf(pid),
  cpu() {
    const engine = engineOf(pid);
    return engine === undefined ? 0 : cpuOf(engine);
  },
  bytes: () => statSync(join(dataDir, 'summen/0/summen.duckdb')).size,
});

const ENTRY = join(import.meta.dirname, '../server/dist/main.js');

function waitForReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    if (!child.stdout) throw new Error('no output to read');
    const { stdout } = child;
    const lines = createInterface({ input: stdout });
    lines.on('line', (line) => {
      const entry = JSON.parse(line) as { msg: string; address?: string };
      if (entry.msg !== 'ready' || !entry.address) return;
      // There is a line for each request from here on: reading them all would be taken from the service.
      lines.close();
      stdout.resume();
      resolve(entry.address);
    });
  });
}

export type BenchAccount = Pick<BenchService, 'key' | 'mandant' | 'cookie'>;

/** The password of every account that is made here. */
export const PASSWORT = 'Kolibri zählt 77 Ströme';

/** Registers an account, with a key of both scopes. */
export async function makeAccount(address: string, email = 'messung@example.org'): Promise<BenchAccount> {
  const send = async (path: string, body: unknown, cookie = '') => {
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const account = {
    firma: 'Messung GmbH',
    email,
    passwort: PASSWORT,
  };
  const registered = await send('/v1/registrieren', account);
  const cookie = (registered.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  const { mandant } = (await registered.json()) as { mandant: { mandant_id: string } };
  const made = await send('/v1/cockpit/konto/schluessel', {}, cookie);
  const { schluessel } = (await made.json()) as { schluessel: string };
  return { key: schluessel, mandant: mandant.mandant_id, cookie };
}

/** Resident memory of a process in MiB. */
function rssOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** As `npm start` sets it. */
const MALLOC = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '4000000',
};

async function spawnService(role: 'all' | 'api', flags: string[], dataDir: string) {
  await buildService();
  return spawn(process.execPath, [...flags, ENTRY], {
    env: {
      ...process.env,
      ...MALLOC,
      // The same prices in every run.
      PREISLISTE_URL: '',
      DATA_DIR: dataDir,
      PORT: '0',
      ROLLE: role,
      LOG_LEVEL: 'info',
      NODE_ENV: 'production',
      BASE_URL: 'http://localhost',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** `flags` of Node: those of `npm start` unless given. */
export async function startBenchService(
  role: 'all' | 'api' = 'all',
  flags: string[] = ['--max-semi-space-size=4', '--heap-growing-percent=50'],
): Promise<BenchService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zw-bench-'));
  const child = await spawnService(role, flags, dataDir);
  const pid = child.pid as number;
  const cluster = join(dataDir, 'postgres');
  const postmaster = () => Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const address = await waitForReady(child);
  const account = await makeAccount(address);
  const connectAs = async (user: string) => {
    const client = new pg.Client({ host: cluster, user, database: OWNER_ROLE });
    await client.connect();
    return client;
  };
  let watching: Promise<pg.Client> | null = null;
  const watcher = () => {
    watching ??= connectAs(OWNER_ROLE);
    return watching;
  };
  return {
    ...account,
    address,
    pid,
    connect: () => connectAs(OWNER_ROLE),
    watcher,
    async checkpoint() {
      const client = await connectAs(SYSTEM_ROLE);
      await client.query('CHECKPOINT').finally(() => client.end());
    },
    postmaster,
    cpu() {
      const processes = new Set([pid, postmaster()].flatMap((parent) => [parent, ...childrenOf(parent)]));
      return [...processes].reduce((sum, each) => sum + cpuOf(each), 0);
    },
    async cpuOfWork() {
      const { rows } = await (await watcher()).query<{ pid: number }>(CONNECTIONS);
      return [pid, ...rows.map((row) => row.pid)].reduce((sum, each) => sum + exactCpuOf(each), 0);
    },
    engine: watchEngine(pid, dataDir),
    pss: () => ({ service: pssOf(pid), engine: pssOf(engineOf(pid)) }),
    rss: () => rssOf(pid),
    async stop() {
      await (await watching)?.end();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
