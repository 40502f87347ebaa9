import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { createPool, createRequestDatabase, type MandantTx } from '#platform/database/index.ts';
import { VOLUME_TABLES } from '#platform/database/volume-tables.ts';
import { createLog } from '#platform/log.ts';
import { cloneDatabase, onCluster, type TestDatabase } from './database.ts';
import { findFaulty, recordStatements, type Statement, tablesOfKind } from './statements.ts';

let database: TestDatabase;
let pool: pg.Pool;
const ours = mandantId(randomUUID());
const theirs = mandantId(randomUUID());

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

async function faultyOf(asked: Statement[]): Promise<string[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  return findFaulty(client, asked).finally(() => client.end());
}

/** Which statements of `work` are found fault with; as they would be, had a request asked them. */
async function faultsOf(work: (tx: MandantTx) => Promise<unknown>): Promise<string[]> {
  const { requests } = database;
  pool = createPool(
    { connection: requests, max: 2, statementTimeout: 15_000, pipeline: true, name: 'test' },
    createLog('fatal'),
  );
  const statements = recordStatements(pool);
  await createRequestDatabase(pool).forMandant(ours, work);
  const asked = [...statements.values()];
  expect(asked.map(({ request }) => request?.mandant)).toEqual(asked.map(() => ours));
  await pool.end();
  return faultyOf(asked);
}

test.each([
  ['named', sql`SELECT * FROM laeufe WHERE mandant_id = ${ours}`],
  [
    'named through a join',
    sql`SELECT FROM laeufe l JOIN agenten a USING (mandant_id) WHERE l.mandant_id = ${ours}`,
  ],
  ['a partitioned table', sql`SELECT FROM ereignisse WHERE mandant_id = ${ours} AND zeitpunkt > now()`],
  ['what belongs to the account', sql`SELECT FROM benutzer`],
  [
    'an order of amounts',
    sql`SELECT trim_scale(kosten_eur)::text AS kosten_eur FROM laeufe WHERE mandant_id = ${ours} ORDER BY laeufe.kosten_eur`,
  ],
  ['a row', sql`INSERT INTO projekte (mandant_id, schluessel, name) VALUES (${ours}, 'p', 'p')`],
])('right: %s', async (_, statement) => {
  expect(await faultsOf((tx) => statement.execute(tx))).toEqual([]);
});

test.each([
  ['left to row-level security', sql`SELECT * FROM laeufe`],
  ['in small letters', sql`select * from laeufe`],
  ['only mentioned', sql`SELECT mandant_id FROM laeufe WHERE mandant_id IS NOT NULL`],
  ['somebody else', sql`SELECT FROM laeufe WHERE mandant_id = ${theirs}`],
  [
    'by the setting',
    sql`SELECT FROM laeufe WHERE mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid`,
  ],
  [
    'in one place of two',
    sql`SELECT FROM laeufe WHERE mandant_id = ${ours} AND EXISTS (SELECT 1 FROM agenten)`,
  ],
  ['a partitioned table', sql`SELECT FROM ereignisse WHERE zeitpunkt > now()`],
  [
    'an order of the texts of amounts',
    sql`SELECT trim_scale(kosten_eur)::text AS kosten_eur FROM laeufe WHERE mandant_id = ${ours} ORDER BY (kosten_eur) DESC`,
  ],
  ['a change', sql`UPDATE agenten SET name = 'n'`],
])('wrong: %s', async (_, statement) => {
  expect(await faultsOf((tx) => statement.execute(tx))).toHaveLength(1);
});

// A cluster has no plan for it at all.
test.skipIf(onCluster())('wrong: of one table of two', async () => {
  const joined = sql`SELECT FROM laeufe l JOIN agenten a ON a.schluessel = l.agent WHERE l.mandant_id = ${ours}`;
  expect(await faultsOf((tx) => joined.execute(tx))).toHaveLength(1);
});

test('wrong: a cursor', async () => {
  const { requests } = database;
  pool = createPool(
    { connection: requests, max: 1, statementTimeout: 15_000, pipeline: true, name: 'test' },
    createLog('fatal'),
  );
  const statements = recordStatements(pool);
  await createRequestDatabase(pool).snapshot(ours, ({ pages }) =>
    Array.fromAsync(pages('SELECT FROM laeufe WHERE lauf_id = $1', [theirs])),
  );
  await pool.end();
  expect(await faultyOf([...statements.values()])).toEqual([expect.stringContaining('DECLARE')]);
});

test('every table is listed in docs/architecture.md, as what it is', async () => {
  const { connection } = database;
  pool = createPool({ connection, max: 1, statementTimeout: 15_000, name: 'test' }, createLog('fatal'));
  const { rows } = await pool.query<{ name: string; mandant: boolean }>(
    `SELECT relname AS name, EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'mandant_id') AS mandant
     FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  await pool.end();
  const namesOf = (mandant: boolean) => rows.filter((row) => row.mandant === mandant).map(({ name }) => name);
  expect([...tablesOfKind('account'), ...tablesOfKind('volume')].sort()).toEqual(namesOf(true));
  expect(tablesOfKind('volume')).toEqual(VOLUME_TABLES);
  expect(
    tablesOfKind('installation')
      .filter((name) => name !== 'mandant_id')
      .sort(),
  ).toEqual(namesOf(false));
});
