import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { createDatabase, onCluster, type TestDatabase } from '#test/database.ts';

/** PostgreSQL 15 of a cluster knows no such locale. */
const it = test.skipIf(onCluster());

const mandant = randomUUID();
let database: TestDatabase;
let client: pg.Client;

/** A database whose locale knows upper and lower case of all letters, as most databases that are given to us do. */
beforeAll(async () => {
  database = await createDatabase(
    `TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'`,
  );
  await migrate(database.connection, createLog('fatal'));
  client = new pg.Client(database.connection);
  await client.connect();
  await client.query(
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, 'A', 'frei', 'Europe/Berlin')`,
    [mandant],
  );
  await add('kiki@example.org');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const add = (email: string) =>
  client.query(
    `INSERT INTO benutzer (mandant_id, benutzer_id, email, passwort_hash, rolle)
     VALUES ($1, gen_random_uuid(), $2, 'x', 'betrachter')`,
    [mandant, email],
  );
const find = async (email: string) =>
  (await client.query('SELECT * FROM zw_anmeldung_finden($1)', [email])).rowCount;

it.each(['kiki@example.org', 'KIKI@Example.org'])('%s is the address of one user', async (email) => {
  expect(await find(email)).toBe(1);
  await expect(add(email)).rejects.toMatchObject({ constraint: 'benutzer_email' });
});

// Else each spelling would have failed logins of its own for one and the same password.
it.each(['k\u0130k\u0130@example.org', '\u212aiki@example.org'])('%s is another address', async (email) => {
  expect(await find(email)).toBe(0);
});
