/** The service as its users run it: a process of its own with a data directory of its own, spoken to over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { inject } from 'vitest';
import { copyData } from './data-template.ts';
import { COMPILED, postmasterOf, signal, untilGone } from './processes.ts';
import { bundled } from './service-bundle.ts';
import { until } from './until.ts';

const ROOT = resolve(import.meta.dirname, '..');
const START_TIMEOUT = 300_000;
const LINES_KEPT = 60;

interface LogLine {
  msg?: string;
  level?: string;
  /** None of a process that listens nowhere. */
  address?: string | null;
}

export interface ServiceProcess {
  dataDir: string;
  /** Where it listens, `http://127.0.0.1:<port>`; another port after every start. */
  address(): string;
  pid(): number;
  /** Starts it and waits until it is ready. */
  start(): Promise<void>;
  /** Ends the process with the signal and returns its exit code, null when the signal ended it. PostgreSQL lives on. */
  stop(name: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  isRunning(): boolean;
  postmaster(): number | null;
  /** Runs SQL as the owner of the database, over the socket; `bigint` and `numeric` come as text. */
  sql<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
  /** A connection as the owner, for the caller to end. */
  connect(): Promise<pg.Client>;
  /** Lines of the log at level error or above so far, and an end of the process that nobody asked for. */
  errors(): string[];
  /** Ends everything and removes the data directory. */
  dispose(): Promise<void>;
}

/** What is still running when the test process itself goes down. */
const running = new Set<{ child(): ChildProcess | null; dataDir: string }>();
// A worker gets this signal as its order to end, which by itself leaves no time to clean up.
process.once('SIGTERM', () => process.exit());
process.once('exit', () => {
  for (const { child, dataDir } of running) {
    child()?.kill('SIGKILL');
    const pid = postmasterOf(dataDir);
    if (pid !== null) signal(pid, 'SIGKILL');
  }
});

/** Reads the log of a child: resolves with the address once it is ready, rejects when it ends before. */
function readLog(child: ChildProcess, lines: string[], errors: string[]): Promise<string> {
  const { promise, resolve: ready, reject } = Promise.withResolvers<string>();
  const fail = (what: string) => reject(new Error(`${what}:\n${lines.join('\n')}`));
  const timer = setTimeout(() => fail('not ready in time'), START_TIMEOUT);
  const take = (line: string) => {
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
    // What a killed process was about to write is cut off.
    if (!line.startsWith('{') || !line.endsWith('}')) return;
    const entry = JSON.parse(line) as LogLine;
    if (entry.level === 'error' || entry.level === 'fatal') errors.push(line);
    if (entry.msg === 'ready') ready(entry.address ?? '');
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', take);
  }
  child.once('exit', (code, by) => fail(`ended before it was ready (${code ?? by})`));
  return promise.finally(() => clearTimeout(timer));
}

/** An empty directory if it is to be fresh, else with the migrated data files of the run. */
function makeDataDirectory(fresh: boolean): string {
  const directory = mkdtempSync(join(tmpdir(), 'zw-abnahme-'));
  if (!fresh) copyData(inject('dataTemplate'), directory);
  return directory;
}

const PROGRAM = 'server/src/main/all-in-one.ts';
/** As an installation starts it that cannot build. */
export const FROM_SOURCES: Start = { entry: PROGRAM };

interface Start {
  /** The tree whose service it is. */
  root?: string;
  /** The program that starts it. */
  entry?: string;
  /** Whether its first start makes the data files. */
  fresh?: boolean;
}

/** Starts the service in a tree, as `npm start` does. */
function spawnService(root: string, program: string, dataDir: string, env: Record<string, string>) {
  return spawn(process.execPath, ['--max-semi-space-size=4', '--heap-growing-percent=50', program], {
    cwd: root,
    // Nothing of the test runner's own environment, which sets BASE_URL and NODE_ENV for purposes of its own.
    env: {
      PATH: process.env.PATH,
      ...COMPILED,
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '32768',
      MALLOC_TRIM_THRESHOLD_: '4000000',
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'info',
      // Prices are those of the package, whatever is published meanwhile.
      PREISLISTE_URL: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

async function endProcess(child: ChildProcess, name: NodeJS.Signals): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(name);
  await ended;
}

/** A connection to the database of a data directory as its owner. */
async function connectTo(dataDir: string): Promise<pg.Client> {
  const socket = join(dataDir, 'postgres');
  const client = new pg.Client({ host: socket, user: 'zaehlwerk', database: 'zaehlwerk' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function query<R extends pg.QueryResultRow>(
  dataDir: string,
  text: string,
  values?: unknown[],
): Promise<R[]> {
  const client = await connectTo(dataDir);
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Ends PostgreSQL if it runs, and removes the data directory. */
async function removeData(dataDir: string): Promise<void> {
  const pid = postmasterOf(dataDir);
  if (pid !== null) {
    // SIGQUIT lets the server end its own children; killed outright it would leave them behind for a moment.
    signal(pid, 'SIGCONT');
    signal(pid, 'SIGQUIT');
    await untilGone(pid);
  }
  await until('the data directory to be removable', () => {
    rmSync(dataDir, { recursive: true, force: true });
    return true;
  });
}

/**
 * Prepares a service in a data directory of its own, of this project or of another tree of it, which is fresh; nothing runs
 * before `start`.
 */
export function createServiceProcess(
  env: Record<string, string> = {},
  {
    root = ROOT,
    entry: program = root === ROOT ? bundled(PROGRAM) : PROGRAM,
    fresh = root !== ROOT,
  }: Start = {},
): ServiceProcess {
  const dataDir = env.DATA_DIR ?? makeDataDirectory(fresh);
  const lines: string[] = [];
  const errors: string[] = [];
  let child: ChildProcess | null = null;
  /** The process that is meant to end. */
  let stopping: ChildProcess | null = null;
  let disposed = false;
  let address = '';
  const entry = { child: () => child, dataDir };
  running.add(entry);

  const stop = async (name: NodeJS.Signals): Promise<number | null> => {
    const ending = child;
    if (!ending || !isRunning(ending)) return ending?.exitCode ?? null;
    stopping = ending;
    await endProcess(ending, name);
    return ending.exitCode;
  };

  return {
    dataDir,
    address: () => address,
    pid: () => child?.pid ?? 0,
    async start() {
      // A test that has run out of time goes on behind the back of its clean-up.
      if (disposed) throw new Error('the service is disposed of');
      const started = spawnService(root, program, dataDir, env);
      child = started;
      started.once('exit', (code, by) => {
        if (stopping !== started)
          errors.push(`the service ended by itself: ${code ?? by}\n${lines.join('\n')}`);
      });
      address = await readLog(started, lines, errors);
    },
    stop,
    isRunning: () => child !== null && isRunning(child),
    postmaster: () => postmasterOf(dataDir),
    connect: () => connectTo(dataDir),
    sql: (text, values) => query(dataDir, text, values),
    errors: () => errors,
    async dispose() {
      disposed = true;
      // A stopped process takes no signal but this one.
      await stop('SIGKILL');
      await removeData(dataDir);
      running.delete(entry);
    },
  };
}
