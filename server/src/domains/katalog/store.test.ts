import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '#test/database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../../migrations');
let database: TestDatabase;
let client: pg.Client;

const apply = (file: string) => client.query(readFileSync(join(MIGRATIONS, file), 'utf8'));

/** A database as it was before the last call of an agent was kept. */
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  for (const file of ['0001_grundlage.sql', '0002_sperrliste.sql', '0003_katalog.sql']) await apply(file);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it('agents counted before keep the end of their latest run as their last call', async () => {
  const [ours, foreign] = [randomUUID(), randomUUID()];
  const addAgent = (mandant: string, schluessel: string) =>
    client.query('INSERT INTO agenten (mandant_id, schluessel, name, projekt) VALUES ($1, $2, $2, $2)', [
      mandant,
      schluessel,
    ]);
  const addRun = (mandant: string, agent: string, ende: string) =>
    client.query(
      `INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, status, beginn, ende, aufrufe, fehler, unbepreist,
         eingabe_token, ausgabe_token, cache_lese_token, verbranntes_geld_eur)
       VALUES ($1, gen_random_uuid(), $2, 'p', 'erfolgreich', '2026-01-01', $3, 1, 0, 0, 0, 0, 0, 0)`,
      [mandant, agent, ende],
    );
  await addAgent(ours, 'a');
  await addAgent(ours, 'ohne');
  await addAgent(foreign, 'a');
  await addRun(ours, 'a', '2026-03-01T10:00:00.000002Z');
  await addRun(ours, 'a', '2026-03-01T10:00:00.000001Z');
  await addRun(foreign, 'a', '2026-04-01T00:00:00Z');
  await apply('0004_zugang.sql');
  const { rows } = await client.query(
    `SELECT schluessel, (letzter_aufruf_am AT TIME ZONE 'UTC')::text AS zuletzt FROM agenten
     ORDER BY mandant_id = $1 DESC, schluessel`,
    [ours],
  );
  expect(rows).toEqual([
    { schluessel: 'a', zuletzt: '2026-03-01 10:00:00.000002' },
    { schluessel: 'ohne', zuletzt: null },
    { schluessel: 'a', zuletzt: '2026-04-01 00:00:00' },
  ]);
});
