import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cloneDatabase, createDatabase, type TestDatabase } from '#test/database.ts';
import { makeFormer, TABLES_BEFORE } from '#test/former-schema.ts';
import { until } from '#test/until.ts';
import { createLog } from '../log.ts';
import { BASELINE, LAST_BEFORE_BASELINE, SchemaTooOld } from './baseline.ts';
import { migrate, readMigrations, requireDurability } from './migrate.ts';

let database: TestDatabase;
afterEach(() => database?.drop());

async function query<R extends pg.QueryResultRow>(sql: string): Promise<R[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  return client
    .query<R>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

test('a server that does not wait for its disk is refused', async () => {
  database = await cloneDatabase();
  const set = (value: string) =>
    query(`ALTER DATABASE ${database.connection.database} SET synchronous_commit = ${value}`);
  await requireDurability(database.connection);
  await set('off');
  await expect(requireDurability(database.connection)).rejects.toThrow('Der Server läuft nicht mit');
  await set('remote_apply');
  await requireDurability(database.connection);
});

/** Migrates; resolves with what the log warns of. */
async function run(): Promise<unknown[]> {
  const lines: { level: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  await migrate(database.connection, createLog('warn', { write }));
  return lines;
}

const numbers = async () =>
  (await query<{ nummer: number }>('SELECT nummer FROM migrationen ORDER BY 1')).map(({ nummer }) => nummer);
const OF_TODAY = readMigrations().map(({ number }) => number);

test('a database without a schema gets the baseline and what follows it', async () => {
  database = await createDatabase();
  expect(await run()).toEqual([]);
  expect(OF_TODAY[0]).toBe(BASELINE);
  expect(await numbers()).toEqual(OF_TODAY);
});

/** Which tables there are, in which schema. */
const tables = async () =>
  (
    await query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND oid >= 16384 ORDER BY 1`,
    )
  ).map(({ name }) => name);

const firms = () => query('SELECT firma FROM mandanten');

describe('a database of before the baseline', () => {
  beforeEach(async () => {
    database = await createDatabase();
  });

  test('of 0.3.0 counts as having it, and loses what nothing asks for', async () => {
    await makeFormer(database.connection);
    const former = await numbers();
    expect(await run()).toEqual([]);
    expect(await numbers()).toEqual([...former, ...OF_TODAY]);
    const migrated = await tables();
    expect(await firms()).toEqual([{ firma: 'Früher GmbH' }]);
    expect(await run()).toEqual([]);
    await database.drop();
    database = await cloneDatabase();
    // What 0.3.0 names is left.
    expect(migrated).toEqual([...(await tables()), ...TABLES_BEFORE.namedStill].sort());
  });

  test('waits for who has its tables the other way round, and is begun anew', async () => {
    await makeFormer(database.connection);
    const other = new pg.Client(database.connection);
    await other.connect();
    try {
      await other.query('BEGIN; LOCK TABLE zaehlstaende IN ROW EXCLUSIVE MODE');
      const migrating = run();
      const waiting = `SELECT FROM pg_locks WHERE relation = 'zaehlstaende'::regclass AND NOT granted`;
      await until('a migration to have `verbrauch_tagesstand` and wait for the other one', async () => {
        return (await query(waiting)).length > 0;
      });
      // One of both is ended by the database: who began to wait first.
      await other.query('LOCK TABLE verbrauch_tagesstand IN ROW EXCLUSIVE MODE').catch(() => undefined);
      await other.query('ROLLBACK');
      await migrating;
    } finally {
      await other.end();
    }
    expect((await numbers()).slice(-OF_TODAY.length)).toEqual(OF_TODAY);
  });

  test('of a version before 0.3.0 is refused as it is, with the version to go through', async () => {
    await makeFormer(database.connection, LAST_BEFORE_BASELINE - 1);
    const before = [await tables(), await numbers()];
    const refused = migrate(database.connection, createLog('silent'));
    await expect(refused).rejects.toThrow(SchemaTooOld);
    await expect(refused).rejects.toThrow(
      /vor 0\.3\.0 \(Migration 140 von 141\)\. Bitte starten Sie auf ihr zuerst v0\.3\.0/,
    );
    expect([await tables(), await numbers()]).toEqual(before);
    expect(await firms()).toEqual([{ firma: 'Früher GmbH' }]);
  });

  test.each([
    [
      'with calls that are in no piece',
      `INSERT INTO zaehlstaende (mandant_id, marken, stuecke_bis) SELECT mandant_id, 2, 1 FROM mandanten`,
      /v0\.3\.0 ist noch nicht fertig.*„zaehlung\.stuecke_nachholen“.*Geändert wurde nichts\./,
    ],
    [
      'with days of which there are sums alone',
      `INSERT INTO verbrauch_stuecke (mandant_id, nummer, tag_von, tag_bis, anzahl, daten, dimensionen)
       SELECT mandant_id, -1, '2026-01-01', '2026-01-01', 1, '\\x01', '{}' FROM mandanten`,
      /Auskunft darüber gibt nur v0\.3\.0.*Geändert wurde nichts\./,
    ],
  ])('%s is refused as it is', async (_, make, sentence) => {
    await makeFormer(database.connection);
    await query(make);
    const before = [await tables(), await numbers()];
    const refused = migrate(database.connection, createLog('silent'));
    await expect(refused).rejects.toThrow(SchemaTooOld);
    await expect(refused).rejects.toThrow(sentence);
    expect([await tables(), await numbers()]).toEqual(before);
  });
});

describe('a database with a schema', () => {
  beforeEach(async () => {
    database = await cloneDatabase();
  });

  test('whose baseline is another one is refused', async () => {
    await query(`UPDATE migrationen SET pruefsumme = 'x' WHERE nummer = ${BASELINE}`);
    await expect(run()).rejects.toThrow('migration 0146_grundlage.sql was changed after it was applied');
  });

  test('of a later version is left as it is, with a warning', async () => {
    await query(`INSERT INTO migrationen (nummer, name, pruefsumme) VALUES (9999, 'x', 'x')`);
    expect(await run()).toEqual([expect.objectContaining({ level: 'warn', migrations: [9_999] })]);
  });
});
