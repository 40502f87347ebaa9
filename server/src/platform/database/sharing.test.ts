/** One Mandant's statements leave connections for others, and end with the one who asked. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { until } from '#test/until.ts';
import { CallerGone, forCaller } from '../caller.ts';
import { createLog } from '../log.ts';
import { createPool } from './pool.ts';
import { createRequestDatabase, type MandantTx, type RequestDatabase } from './request-database.ts';
import { createConnectionShares } from './sharing.ts';

const LOG = createLog('fatal');
const CONNECTIONS = 12;
const LOCK = 4_711;
const [loud, quiet] = [mandantId(randomUUID()), mandantId(randomUUID())];

let database: TestDatabase;
let owner: pg.Pool;
let locking: pg.PoolClient;
let db: RequestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  const options = { connection: database.connection, max: 3, statementTimeout: 60_000, name: 'test' };
  owner = createPool(options, LOG);
});
afterAll(async () => {
  await owner?.end();
  await database?.drop();
});
beforeEach(async () => {
  locking = await owner.connect();
  await locking.query('SELECT pg_advisory_lock($1)', [LOCK]);
});
afterEach(async () => {
  await locking.query('SELECT pg_advisory_unlock_all()');
  locking.release();
  await db.close();
});

function open({ statementTimeout = 60_000, longest = 60_000 } = {}): RequestDatabase {
  const { requests: connection } = database;
  const options = { connection, max: CONNECTIONS, statementTimeout, name: 'test-anfrage', pipeline: true };
  db = createRequestDatabase(createPool(options, LOG), {
    // Of what a Mandant has used nothing comes back.
    shares: createConnectionShares(CONNECTIONS, { longest, processors: 2, now: () => 0 }),
  });
  return db;
}

/** Takes until the lock is let go. */
const slow = (tx: MandantTx) => sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(tx);
const short = (tx: MandantTx) => sql`SELECT 1`.execute(tx);

const atWork = async () => {
  const { rows } = await owner.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE application_name = 'zaehlwerk-test-anfrage' AND datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n;
};

test('forty slow statements of one Mandant hold up neither another, nor what has none, nor writers', async () => {
  const { forMandant, transaction, writeAtOnce, snapshot } = open();
  const flood = Array.from({ length: 40 }, () => forMandant(loud, slow));
  await until('its share to be at work', async () => (await atWork()) === 2);
  await Promise.all(Array.from({ length: 20 }, () => forMandant(quiet, short)));
  await snapshot(quiet, ({ tx }) => short(tx));
  await transaction((client) => client.query('SELECT 1'));
  await writeAtOnce([{ mandanten: [loud], statements: [{ text: 'SELECT 1', values: [] }] }]);
  expect(await atWork()).toBe(2);
  await locking.query('SELECT pg_advisory_unlock_all()');
  await Promise.all(flood);
});

test('of a Mandant that has kept the database busy one statement is at work, beside what it reads page by page and beside others', async () => {
  const { forMandant, snapshot } = open();
  const busy = (tx: MandantTx) => sql`SELECT pg_sleep(1.1)`.execute(tx);
  await Promise.all([forMandant(loud, busy), forMandant(loud, busy)]);
  const first = forMandant(loud, slow);
  await until('it to be at work', async () => (await atWork()) === 1);
  await snapshot(loud, ({ tx }) => short(tx));
  const others = Promise.all(Array.from({ length: 5 }, () => forMandant(loud, slow)));
  const quietOne = forMandant(quiet, slow);
  await until('that of another to be at work beside it', async () => (await atWork()) === 2);
  await forMandant(mandantId(randomUUID()), short);
  expect(await atWork()).toBe(2);
  await locking.query('SELECT pg_advisory_unlock_all()');
  await Promise.all([first, others, quietOne]);
});

test('a Mandant that waits for its own statements gets one code, one that waits for those of others another', async () => {
  const { forMandant } = open({ longest: 50 });
  const others = Array.from({ length: 2 }, () => mandantId(randomUUID()));
  const flood = Promise.all([loud, loud, ...others].map((mandant) => forMandant(mandant, slow)));
  await until('all that Mandanten may have to be at work', async () => (await atWork()) === 4);
  await expect(forMandant(loud, short)).rejects.toMatchObject({
    kind: 'too-many',
    code: 'anteil_verbraucht',
    retryAfter: 2,
  });
  await expect(forMandant(quiet, short)).rejects.toMatchObject({ kind: 'unavailable', code: 'ueberlastet' });
  await locking.query('SELECT pg_advisory_unlock_all()');
  await flood;
});

test('a statement ends in the database when the client hangs up, and its place is another one’s', async () => {
  const { forMandant, snapshot } = open();
  const caller = new AbortController();
  const gone = forCaller(caller.signal, () => [
    forMandant(loud, slow),
    snapshot(loud, async ({ pages }) => {
      for await (const _page of pages(`SELECT pg_advisory_xact_lock(${LOCK})`)) await delay(0);
    }),
    ...Array.from({ length: 20 }, () => forMandant(loud, slow)),
  ]);
  const ends = Promise.all(gone.map((each) => expect(each).rejects.toBeInstanceOf(CallerGone)));
  await until('its share to be at work', async () => (await atWork()) === 2);
  caller.abort(new CallerGone());
  await ends;
  expect(await atWork()).toBe(0);
  await forMandant(loud, short);
});

test('nothing more is asked for whom nobody waits, and a connection is whole afterwards', async () => {
  const { forMandant } = open();
  const caller = new AbortController();
  const work = forMandant.bind(db, loud, async (tx) => {
    await short(tx);
    caller.abort(new CallerGone());
    return short(tx);
  });
  await expect(forCaller(caller.signal, work)).rejects.toBeInstanceOf(CallerGone);
  await Promise.all(Array.from({ length: 20 }, () => forMandant(loud, short)));
});

test('a statement that takes too long says that, not that the database is away', async () => {
  const { forMandant } = open({ statementTimeout: 100 });
  await expect(forMandant(loud, slow)).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'abfrage_zu_lang',
  });
});

test("a connection whose transaction could not be taken back is nobody else's", async () => {
  const { requests: connection } = database;
  const options = { connection, max: 1, statementTimeout: 60_000, name: 'test-anfrage', pipeline: true };
  const pool = createPool(options, LOG);
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    // As where the order to end a statement of a caller who has hung up meets the rollback.
    client.query = ((...args: unknown[]) =>
      args[0] === 'ROLLBACK' ? query('SELECT 1 / 0') : query(...args)) as typeof client.query;
  });
  db = createRequestDatabase(pool);
  const interrupted = db.forMandant(loud, async (tx) => {
    await short(tx);
    throw new Error('interrupted');
  });
  await expect(interrupted).rejects.toThrow('interrupted');
  await db.forMandant(quiet, short);
});
