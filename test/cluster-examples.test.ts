/** What `cluster-forms.ts` finds fault with one server takes, and a cluster refuses. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REQUEST_ROLE } from '#platform/database/request-database.ts';
import { REFUSED, TAKEN } from './cluster-examples.ts';
import { cloneDatabase, onCluster, type TestDatabase } from './database.ts';

let database: TestDatabase;
let client: pg.Client;
const mandant = randomUUID();
beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  // Of no rows nothing is copied.
  await client.query(
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, 'x', 'test', 'UTC')`,
    [mandant],
  );
  await client.query(
    `INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, status, beginn, ende, aufrufe, fehler, unbepreist,
       eingabe_token, ausgabe_token, cache_lese_token, verbranntes_geld_eur)
     VALUES ($1, gen_random_uuid(), 'a', 'p', 'erfolgreich', now(), now(), 1, 0, 0, 0, 0, 0, 0)`,
    [mandant],
  );
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Not supported, or not understood by a node that got it in other words. */
const REFUSALS = ['0A000', '42883', '42601', 'XX000'];
const AS_REQUEST = 'a request inserts rows that the coordinator would copy';

/** Runs a statement and takes back what it did; false when it is refused whatever the tables hold. */
async function isTaken(text: string, asRequest: boolean): Promise<boolean> {
  await client.query('BEGIN');
  if (asRequest) {
    await client.query(`SET LOCAL ROLE ${REQUEST_ROLE}; SET LOCAL citus.propagate_set_commands = 'local'`);
    await client.query(`SET LOCAL zw.mandant = '${mandant}'`);
  }
  try {
    await client.query(text, text.includes('$1') ? [mandant] : []);
    return true;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    // Columns that are missing are noticed where the rows are.
    if (!REFUSALS.includes(code)) expect(code).toBe('23502');
    return !REFUSALS.includes(code);
  } finally {
    await client.query('ROLLBACK');
  }
}

test.each(Object.entries(REFUSED).flatMap(([fault, texts]) => texts.map((text) => [fault, text] as const)))(
  '%s: %s',
  async (fault, text) => {
    expect(await isTaken(text, fault === AS_REQUEST)).toBe(!onCluster());
  },
);

test.each(TAKEN)('is taken: %s', async (text) => {
  expect(await isTaken(text, text.startsWith('INSERT INTO projekte'))).toBe(true);
});
