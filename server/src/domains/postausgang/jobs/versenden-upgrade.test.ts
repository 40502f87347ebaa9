/** Mails that waited when their loop became a job lose nothing: neither themselves nor what was known of their attempts. */

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRunner } from '#jobs/runner.ts';
import { createPool, migrate } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { createSecretBox } from '#platform/secret-box.ts';
import { createDatabase, type TestDatabase } from '#test/database.ts';
import { newMandant } from '#test/jobs.ts';
import { versendenJob } from './versenden.ts';

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

test('each is sent when it would have been', async () => {
  await migrate(database.connection, log, 9);
  const secrets = createSecretBox(randomBytes(32));
  const mandant = newMandant();
  for (const [betreff, when] of [
    ['faellig', '-1 minute'],
    ['spaeter', '20 minutes'],
  ]) {
    const inhalt = secrets.seal(Buffer.from(JSON.stringify({ an: 'a@example.org', betreff })));
    await client.query(
      `INSERT INTO postausgang (mandant_id, post_id, inhalt, erstellt_am, versuche, naechster_versuch, verfaellt_am, fehler)
       VALUES ($1, gen_random_uuid(), $2, now(), 6, now() + $3::interval, now() + interval '1 day', 'Postfach voll')`,
      [mandant, inhalt, when],
    );
  }
  await migrate(database.connection, log);

  const owner = createOwnerDatabase(
    createPool({ connection: database.connection, max: 2, statementTimeout: 15_000, name: 'test' }, log),
  );
  const sent: unknown[] = [];
  const mailer = {
    send: async (_id: string, { betreff }: { betreff: string }) => sent.push(betreff) > 0,
    close: () => undefined,
  };
  const jobs = [versendenJob({ owner, secrets, log, mailer })];
  const runner = createRunner({ jobs, db: owner, log, observe: () => undefined });
  expect(await runner.runDue()).toBe(1);
  expect(sent).toEqual(['faellig']);
  const { rows } = await client.query(
    'SELECT mandant_id, versuche, fehler, faellig_am > now() AS spaeter FROM auftraege',
  );
  expect(rows).toEqual([{ mandant_id: mandant, versuche: 6, fehler: 'Postfach voll', spaeter: true }]);
  await client.query('UPDATE auftraege SET faellig_am = now()');
  expect(await runner.runDue()).toBe(1);
  expect(sent).toEqual(['faellig', 'spaeter']);
  await owner.close();
});
