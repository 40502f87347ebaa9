/** The description of an event's columns and the table say the same: rows are copied in binary form, unchecked. */

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '#test/database.ts';
import { EVENT_COLUMNS } from './columns.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

interface Found {
  name: string;
  type: string;
  may_be_null: boolean;
  generated: boolean;
}

test('every column of the table is described, and nothing else', async () => {
  const { rows } = await client.query<Found>(
    `SELECT attname AS name, atttypid::regtype::text AS type, NOT attnotnull AS may_be_null, attgenerated <> '' AS generated
     FROM pg_attribute WHERE attrelid = 'ereignisse'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'mandant_id'`,
  );
  const described = EVENT_COLUMNS.map(({ name, sqlType, mayBeNull }) => ({
    name,
    type: sqlType === 'timestamptz' ? 'timestamp with time zone' : sqlType,
    may_be_null: mayBeNull,
    generated: name === 'kosten_eur',
  }));
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  expect(described.toSorted(byName)).toEqual(rows.toSorted(byName));
});
