/** The only key there was before keys rotated goes on signing, and what was blocked stays blocked. */
import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAsOwner, migrate } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { createSecretBox } from '#platform/secret-box.ts';
import { createDatabase, type TestDatabase } from '#test/database.ts';
import { createKeyring } from './keyring.ts';

/** The last migration before. */
const BEFORE = 35;
const log = createLog('fatal');

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('the key of before is the active one, under the name it always had', async () => {
  await migrate(database.connection, log, BEFORE);
  const secrets = createSecretBox(randomBytes(32));
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  await client.query(`INSERT INTO geheimnisse (name, verschluesselt) VALUES ('sperrliste', $1)`, [
    secrets.seal(Buffer.from(JSON.stringify(jwk))),
  ]);
  await client.query(
    `INSERT INTO lizenz_sperren (lizenz_id, fingerabdruck, grund) VALUES (gen_random_uuid(), 'ab', 'x')`,
  );
  const numberOf = async () => (await client.query('SELECT nummer FROM sperrliste_stand')).rows[0].nummer;
  const before = await numberOf();
  await migrate(database.connection, log);
  const keys = await createKeyring(secrets)(askAsOwner(client));
  expect(keys.map(({ kid, aktiv }) => [kid, aktiv])).toEqual([[await calculateJwkThumbprint(jwk), true]]);
  expect(keys[0]?.jwk.x).toBe(jwk.x);
  expect(await numberOf()).toBe(before);
  expect((await client.query('SELECT fingerabdruck FROM lizenz_sperren')).rows).toEqual([
    { fingerabdruck: 'ab' },
  ]);
});
