import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { createLog } from '../log.ts';
import { createPool } from './pool.ts';
import { createRequestDatabase, type RequestDatabase } from './request-database.ts';

let database: TestDatabase;
let pool: pg.Pool;
let owner: pg.Pool;
let db: RequestDatabase;
const ours = mandantId(randomUUID());
const theirs = mandantId(randomUUID());

beforeAll(async () => {
  database = await cloneDatabase();
  const { connection, requests } = database;
  const options = { max: 3, statementTimeout: 15_000, name: 'test' };
  owner = createPool({ ...options, connection }, createLog('fatal'));
  pool = createPool({ ...options, connection: requests, pipeline: true }, createLog('fatal'));
  db = createRequestDatabase(pool);
  await owner.query(
    `INSERT INTO projekte (mandant_id, schluessel, name)
     SELECT mandant, lpad(n::text, 4, '0'), mandant::text FROM unnest($1::uuid[]) AS m (mandant), generate_series(1, 25) AS n`,
    [[ours, theirs]],
  );
});
afterAll(async () => {
  await Promise.all([pool?.end(), owner?.end()]);
  await database?.drop();
});

const SELECT = 'SELECT schluessel, name FROM projekte WHERE schluessel > $1 ORDER BY schluessel';
type Row = { schluessel: string; name: string };

describe('a snapshot', () => {
  test('is read page by page, in order, and shows nobody else', async () => {
    const pages = await db.snapshot(ours, (snapshot) =>
      Array.fromAsync(snapshot.pages<Row>(SELECT, ['0004'], 10)),
    );
    expect(pages.map((page) => page.length)).toEqual([10, 10, 1]);
    const rows = pages.flat();
    expect(rows.map((row) => row.schluessel)).toEqual(
      Array.from({ length: 21 }, (_, index) => String(index + 5).padStart(4, '0')),
    );
    expect(new Set(rows.map((row) => row.name))).toEqual(new Set([ours]));
  });

  test('is of one moment, and nothing can be written in it', async () => {
    const late = mandantId(randomUUID());
    const insert = `INSERT INTO projekte (mandant_id, schluessel, name) VALUES ('${late}', 'neu', 'neu')`;
    const seen = await db.snapshot(late, async ({ tx, pages }) => {
      const before = await sql`SELECT FROM projekte`.execute(tx);
      await owner.query(insert);
      return [before.rows.length, (await Array.fromAsync(pages('SELECT FROM projekte'))).length];
    });
    expect(seen).toEqual([0, 0]);
    const writing = db.snapshot(late, ({ tx }) => sql.raw(insert).execute(tx));
    await expect(writing).rejects.toMatchObject({ code: '25006' });
  });

  test('may be read in part, one after another, and not after its end', async () => {
    const left = await db.snapshot(ours, async ({ pages }) => {
      for await (const page of pages(SELECT, [''], 5)) expect(page).toHaveLength(5);
      const leaving = pages<Row>(SELECT, [''], 5);
      await leaving.next();
      const again = await Array.fromAsync(pages(SELECT, ['0020'], 100));
      expect(again[0]).toHaveLength(5);
      return leaving;
    });
    await expect(left.next()).rejects.toThrow('the snapshot has ended');
    const open = await owner.query(`SELECT count(*)::int AS transactions FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`);
    expect(open.rows).toEqual([{ transactions: 0 }]);
  });

  test('may take longer than requests may', async () => {
    const [settings] = await db.snapshot(ours, ({ pages }) =>
      Array.fromAsync(pages("SELECT current_setting('statement_timeout') AS own")),
    );
    expect(settings).toEqual([{ own: '1min' }]);
    const { rows } = await db.transaction((client) =>
      client.query("SELECT current_setting('statement_timeout') AS usual"),
    );
    expect(rows).toEqual([{ usual: '15s' }]);
  });
});

describe('rows for the inboxes of several Mandanten', () => {
  const insert = (...whose: string[]) => {
    const rows = whose.map(
      (_, index) => `($${index + 1}, '${randomUUID()}', now(), '${randomUUID()}', 1, 1, '')`,
    );
    const columns = 'mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten';
    return { text: `INSERT INTO eingang (${columns}) VALUES ${rows.join(', ')}`, values: whose };
  };
  const write = (text: string, values: unknown[] = []) =>
    db.writeAtOnce([{ mandanten: [ours, theirs], statements: [{ text, values }] }]).then(
      (results) => results[0]?.[0]?.rowCount,
      (error) => error.code,
    );
  const inInboxes = async () =>
    (await owner.query('SELECT mandant_id FROM eingang')).rows.map(({ mandant_id }) => mandant_id).sort();

  test('go in with one statement, of nobody else and into nothing else, and none is shown', async () => {
    const both = insert(ours, theirs);
    expect(await write(both.text, both.values)).toBe(2);
    expect(await inInboxes()).toEqual([ours, theirs].sort());
    const foreign = insert(ours, randomUUID());
    expect(await write(foreign.text, foreign.values)).toBe('42501');
    const shown = insert(ours, theirs);
    expect(await write(`${shown.text} RETURNING mandant_id`, shown.values)).toBe('42501');
    expect(
      await write(`INSERT INTO projekte (mandant_id, schluessel, name) VALUES ('${ours}', 'neu', 'neu')`),
    ).toBe('42501');
    expect(await write('SELECT FROM eingang')).toBe(0);
    expect(await write('SELECT FROM projekte')).toBe(0);
    expect(await inInboxes()).toHaveLength(2);
    await owner.query('DELETE FROM eingang');
  });

  test('of one are bound to it as everything else is', async () => {
    const { text, values } = insert(ours);
    await db.writeAtOnce([{ mandanten: [ours], statements: [{ text, values }] }]);
    expect(await inInboxes()).toEqual([ours]);
    await owner.query('DELETE FROM eingang');
  });
});

describe('a statement that is smuggled into a request', () => {
  beforeAll(async () => {
    await owner.query(
      `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone)
       SELECT mandant, 'Muster GmbH', 'frei', 'Europe/Berlin' FROM unnest($1::uuid[]) AS m (mandant)`,
      [[ours, theirs]],
    );
  });

  /** Rows of the last of several statements that stand where one was meant; the SQLSTATE when one is refused. */
  const smuggle = (statements: string): Promise<unknown> =>
    db
      .transaction(async (client) => {
        await client.bind(ours);
        // The driver answers several statements with several results, which its types leave out.
        const results = (await client.query(`SELECT 1; ${statements}`)) as unknown as pg.QueryResult[];
        return results.at(-1)?.rows;
      })
      .catch((error) => error.code);

  const ESCAPES = [
    'RESET ROLE',
    'SET ROLE NONE',
    'RESET SESSION AUTHORIZATION',
    'RESET ALL',
    'SET row_security = off; RESET row_security; RESET ROLE',
  ];
  test.each(ESCAPES)('sees no more by %s', async (way) => {
    expect(await smuggle(`${way}; SELECT mandant_id FROM mandanten`)).toSatisfy(
      (seen) =>
        seen === '42501' ||
        JSON.stringify(seen) === JSON.stringify([{ mandant_id: ours }]) ||
        seen.length === 0,
    );
  });

  test.each(['COMMIT', 'ROLLBACK'])('sees nothing at all after %s', async (end) => {
    for (const way of ['', ...ESCAPES.map((each) => `${each};`), 'DISCARD ALL;'])
      expect(await smuggle(`${end}; ${way} SELECT mandant_id FROM mandanten`), way).toSatisfy(
        (seen) => seen === '25001' || seen.length === 0,
      );
  });

  test.each([
    'SET ROLE zaehlwerk',
    'SET SESSION AUTHORIZATION zaehlwerk',
    `COPY (SELECT 1) TO PROGRAM 'id'`,
    `COPY mandanten TO '/tmp/mandanten'`,
    `SELECT pg_read_file('PG_VERSION')`,
    'ALTER TABLE mandanten DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE mandanten NO FORCE ROW LEVEL SECURITY',
    'SET row_security = off; SELECT FROM mandanten',
    'SELECT FROM lizenz_schluessel',
    'GRANT zaehlwerk TO zaehlwerk_anfrage',
    'ALTER ROLE zaehlwerk_anfrage BYPASSRLS',
    'ALTER ROLE zaehlwerk_anfrage SUPERUSER',
  ])('is refused: %s', async (statement) => {
    for (const way of ['', 'RESET ROLE;', 'COMMIT; RESET ROLE;', 'ROLLBACK; RESET SESSION AUTHORIZATION;'])
      expect(await smuggle(`${way} ${statement}`), way).toBe('42501');
  });
});
