import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { cloneDatabase } from '#test/database.ts';
import { describeTables } from './describe.ts';

/** Does something with a connection to a migrated database. */
async function withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const database = await cloneDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
    await database.drop();
  }
}

test('the description is that of the migrated schema; else: npm run tables', async () => {
  const text = await withDatabase(describeTables);
  expect(text).toBe(readFileSync(join(import.meta.dirname, 'tables.ts'), 'utf8'));
});

test('what a column holds, may lack, and need not be given is described', async () => {
  const text = await withDatabase(async (client) => {
    await client.query(`CREATE TABLE beispiel (
      anzahl bigint NOT NULL, betrag numeric, am timestamptz NOT NULL DEFAULT now(), tag date,
      art text NOT NULL DEFAULT 'a' CHECK (art IN ('a', 'b c')), lange text CHECK (length(lange) < 9), namen text[] NOT NULL,
      daten bytea, frei jsonb, nummer integer GENERATED ALWAYS AS IDENTITY,
      doppelt numeric GENERATED ALWAYS AS (betrag * 2) STORED, weg text)`);
    await client.query('ALTER TABLE beispiel DROP COLUMN weg');
    await client.query(`CREATE FUNCTION zw_probe(gesucht text) RETURNS TABLE (wert numeric, ja boolean)
      LANGUAGE sql AS 'SELECT 1::numeric, true'`);
    return describeTables(client);
  });
  expect(text).toContain(`  beispiel: {
    anzahl: number | string;
    betrag: string | null;
    am: Generated<string>;
    tag: string | null;
    art: Generated<'a' | 'b c'>;
    lange: string | null;
    namen: string[];
    daten: Buffer | null;
    frei: unknown;
    nummer: GeneratedAlways<number>;
    doppelt: GeneratedAlways<string | null>;
  };
`);
  expect(text).toContain(`  zw_probe: {
    wert: string;
    ja: boolean;
  };
`);
});

test('a type nobody has thought of is named', async () => {
  const describing = withDatabase(async (client) => {
    await client.query('CREATE TABLE beispiel (ort point)');
    return describeTables(client);
  });
  await expect(describing).rejects.toThrow('beispiel.ort: no TypeScript type stands for point');
});
