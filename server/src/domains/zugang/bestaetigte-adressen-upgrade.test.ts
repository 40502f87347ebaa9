/** Users who were there before addresses were proven: who counts as having proven the own one, and that nobody is kept out. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { createDatabase, type TestDatabase } from '#test/database.ts';

/** The last migration before. */
const BEFORE = 14;
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

test('proven is who came by a mail or a company account, and who runs the installation', async () => {
  await migrate(database.connection, log, BEFORE);
  const mandant = randomUUID();
  await client.query(
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, 'A', 'frei', 'Europe/Berlin')`,
    [mandant],
  );
  const users = {
    registered: randomUUID(),
    invited: randomUUID(),
    reset: randomUUID(),
    company: randomUUID(),
    operator: randomUUID(),
  };
  for (const [name, id] of Object.entries(users))
    await client.query(
      `INSERT INTO benutzer (mandant_id, benutzer_id, email, rolle) VALUES ($1, $2, $3, 'inhaber')`,
      [mandant, id, `${name}@example.org`],
    );
  for (const [id, aktion] of [
    [users.invited, 'einladung.angenommen'],
    [users.reset, 'passwort.zurueckgesetzt'],
    [users.registered, 'passwort.link_angefordert'],
  ])
    await client.query(
      `INSERT INTO pruefprotokoll (mandant_id, eintrag_id, zeitpunkt, akteur_art, aktion, objekt_art, objekt_id)
       VALUES ($1, $2, '2026-01-01T00:00:00Z', 'benutzer', $4, 'benutzer', $3)`,
      [mandant, randomUUID(), id, aktion],
    );
  await client.query(
    `INSERT INTO sso_identitaeten (mandant_id, issuer, subject, benutzer_id, erstellt_am) VALUES ($1, 'i', 's', $2, now())`,
    [mandant, users.company],
  );
  await client.query('INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2)', [
    mandant,
    users.operator,
  ]);
  await migrate(database.connection, log);
  const { rows } = await client.query<{ email: string; ja: boolean }>(
    'SELECT email, email_bestaetigt_am IS NOT NULL AS ja FROM benutzer WHERE email_verloren_am IS NULL',
  );
  expect(Object.fromEntries(rows.map(({ email, ja }) => [email.split('@')[0], ja]))).toEqual({
    registered: false,
    invited: true,
    reset: true,
    company: true,
    operator: true,
  });
  for (const name of Object.keys(users))
    expect(
      (await client.query('SELECT FROM zw_anmeldung_finden($1)', [`${name}@example.org`])).rowCount,
    ).toBe(1);
});
