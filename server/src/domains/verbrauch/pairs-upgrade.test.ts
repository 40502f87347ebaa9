/** Pairs of days that were condensed before a figure was added have as many of it as of the others. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { createDatabase, type TestDatabase } from '#test/database.ts';

/** The last migration before calls priced in part were counted. */
const BEFORE = 24;
const log = createLog('fatal');
const FIGURES = [
  ...['aufrufe', 'fehler', 'unbepreist', 'geschaetzt', 'eingabe_token', 'ausgabe_token', 'cache_lese_token'],
  ...[
    'cache_schreib_token',
    'denk_token',
    'kosten_usd',
    'kosten_eur',
    'geschaetzt_eur',
    'verbranntes_geld_eur',
  ],
];

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

test('each value of a pair has none, and no value is lost or made', async () => {
  await migrate(database.connection, log, BEFORE);
  const lists = FIGURES.map(() => "'{7,8,9}'").join(', ');
  await client.query(
    `INSERT INTO verbrauch_paar (mandant_id, merkmal_id, nach, tag, andere, ${FIGURES.join(', ')})
     VALUES ($1, 1, 5, '2026-01-01', '{2,3,4}', ${lists})`,
    [randomUUID()],
  );
  await migrate(database.connection, log);
  const { rows } = await client.query(
    `SELECT u.* FROM verbrauch_paar p
     CROSS JOIN LATERAL unnest(p.andere, p.aufrufe, p.teilbepreist) AS u (merkmal, aufrufe, teilbepreist)`,
  );
  expect(rows).toEqual([
    { merkmal: 2, aufrufe: '7', teilbepreist: '0' },
    { merkmal: 3, aufrufe: '8', teilbepreist: '0' },
    { merkmal: 4, aufrufe: '9', teilbepreist: '0' },
  ]);
});
