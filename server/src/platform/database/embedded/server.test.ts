import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isWhole } from '#test/depth.ts';
import { until } from '#test/until.ts';
import { createLog } from '../../log.ts';
import { requireDurability } from '../migrate.ts';
import { type EmbeddedDatabase, findEmbedded, startEmbedded } from './server.ts';
import { sharedBuffers } from './settings.ts';

const log = createLog('fatal');
let directory: string;
let database: EmbeddedDatabase;
let bystander: ChildProcess | null = null;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'zw-embedded-'));
  database = await startEmbedded(directory, log);
});
afterAll(async () => {
  await database?.stop();
  bystander?.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

async function query(sql: string, connection = database.connection): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

test.each([
  [0.5, '128MB'],
  [4, '512MB'],
  [7.5, '960MB'],
  [64, '2048MB'],
])('of %s GiB of memory takes %s for shared buffers', (gib, expected) => {
  expect(sharedBuffers(gib * 2 ** 30)).toBe(expected);
});

test('flushes commits to disk', async () => {
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'];
  const settings = await query(
    `SELECT name, setting FROM pg_settings WHERE name IN ('${names.join("','")}')`,
  );
  expect(settings).toHaveLength(names.length);
  for (const setting of settings) expect(setting).toMatchObject({ setting: 'on' });
});

test('is refused when a page may be written by halves', async () => {
  const system = { ...database.connection, user: 'zaehlwerk_system' };
  const set = async (value: string) => {
    await query(`ALTER SYSTEM SET full_page_writes = ${value}`, system);
    await query('SELECT pg_reload_conf()', system);
    await until('the setting', async () => {
      const [row] = await query("SELECT current_setting('full_page_writes') AS value", system);
      return (row as { value: string }).value === value;
    });
  };
  await set('off');
  await expect(requireDurability(database.connection)).rejects.toThrow('full_page_writes=on');
  await set('on');
  await requireDurability(database.connection);
});

test('starts beside a process that has got the number of a server long gone, and leaves it alone', async () => {
  await query('CREATE TABLE probe AS SELECT 7 AS wert');
  // As after a restart of the container: the files are still there, and the number is somebody else's.
  const names = ['postmaster.pid', '.s.PGSQL.5432.lock'].map((name) => join(directory, 'postgres', name));
  const contents = names.map((name) => readFileSync(name, 'utf8').split('\n').slice(1));
  await database.stop();
  bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const owner = statSync(join(directory, 'postgres'));
  for (const [index, name] of names.entries()) {
    writeFileSync(name, [bystander.pid, ...(contents[index] ?? [])].join('\n'));
    chownSync(name, owner.uid, owner.gid);
  }

  database = await startEmbedded(directory, log);
  expect(await query('SELECT wert FROM probe')).toEqual([{ wert: 7 }]);
  expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
});

test('is started again when it is killed, also while it starts', async () => {
  const pids = new Set<number | undefined>();
  for (let round = 0; round < 3; round += 1) {
    const pid = database.pid() as number;
    pids.add(pid);
    process.kill(pid, 'SIGKILL');
    await until('a new server', () => database.pid() !== pid);
  }
  const rows = await until('the new server to answer', () =>
    query('SELECT wert FROM probe').catch(() => null),
  );
  expect(rows).toEqual([{ wert: 7 }]);
  expect(pids.size).toBe(3);
});

/** A process that starts the database in the directory, in a process group of its own. */
const startElsewhere = (where: string): ChildProcess => {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `
    const { startEmbedded } = await import(${module('./server.ts')});
    const { createLog } = await import(${module('../../log.ts')});
    await startEmbedded(${JSON.stringify(where)}, createLog('fatal'));`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { detached: true, stdio: 'ignore' });
};

/** Kills the process that serves a connection while there is much to recover; resolves once the server does that. */
async function crashOne(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS much AS SELECT generate_series(1, 500000)');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  process.kill((rows[0] as { pid: number }).pid, 'SIGKILL');
  await until('the recovery', async () => {
    const visitor = new pg.Client(connection);
    visitor.on('error', () => undefined);
    return visitor.connect().then(
      () => visitor.end(),
      (error) => error.code === '57P03',
    );
  });
}

// Half a million rows, for a recovery that takes its time; that a start takes over what was left behind is looked at below.
test.runIf(isWhole)(
  'ends while it recovers, whether its service tells it to or the next one does',
  async () => {
    const stopped = async () => {
      await crashOne(database.connection);
      await database.stop();
      database = await startEmbedded(directory, log);
      expect(await query('SELECT count(*)::int AS n FROM much')).toEqual([{ n: 500_000 }]);
    };
    const leftBehind = async () => {
      const where = mkdtempSync(join(tmpdir(), 'zw-embedded-'));
      const service = startElsewhere(where);
      const { connection } = await until('its server', () => findEmbedded(where));
      await until('its server to answer', () => query('SELECT 1', connection));
      const ended = once(service, 'exit');
      service.kill('SIGKILL');
      await ended;
      await crashOne(connection);
      const next = await startEmbedded(where, log);
      await next.stop();
      rmSync(where, { recursive: true, force: true });
    };
    await Promise.all([stopped(), leftBehind()]);
  },
);

const ALONE: [string, (child: ChildProcess) => void] = ['alone', (child) => child.kill('SIGKILL')];
test.each([
  ...(isWhole ? [ALONE] : []),
  ['with all it has started', (child: ChildProcess) => process.kill(-(child.pid as number), 'SIGKILL')],
] as (typeof ALONE)[])(
  'starts where a service was killed while it made the data files, %s',
  async (_name, kill) => {
    const where = mkdtempSync(join(tmpdir(), 'zw-embedded-'));
    const child = startElsewhere(where);
    const isBegun = () => readdirSync(where).some((name) => existsSync(join(where, name, 'global')));
    await until('the first data files', isBegun);
    const ended = once(child, 'exit');
    kill(child);
    await ended;

    const second = await startEmbedded(where, log);
    const client = new pg.Client(second.connection);
    await client.connect();
    await client.query('CREATE TABLE probe AS SELECT 7 AS wert');
    await client.end();
    await second.stop();
    expect(readdirSync(where)).toEqual(['postgres']);
    // Nothing of the first one is left to come in between.
    const third = await startEmbedded(where, log);
    await third.stop();
    rmSync(where, { recursive: true, force: true });
  },
  120_000,
);
