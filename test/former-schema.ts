/** A database as 0.2.0 left it, or a version before; the code of 0.2.0 itself runs in acceptance/upgrade.test.ts. */
import pg from 'pg';
import { BASELINE, LAST_BEFORE_BASELINE } from '#platform/database/baseline.ts';
import { makeSchema, readMigrations } from '#platform/database/migrate.ts';

/** What 0.2.0 has and the baseline has no more. */
const MORE = `
  CREATE TABLE geheimnisse (name text PRIMARY KEY, verschluesselt bytea NOT NULL);
  INSERT INTO geheimnisse VALUES ('sperrliste', '\\x00');
  CREATE TABLE verbrauch_paar (mandant_id uuid NOT NULL, merkmal_id integer NOT NULL, PRIMARY KEY (mandant_id, merkmal_id));
  CREATE INDEX verbrauch_tagesstand_offen ON verbrauch_tagesstand (tag) WHERE verdichtet IS DISTINCT FROM geaendert;
  CREATE SCHEMA pgboss;
  CREATE TABLE pgboss.job (id uuid PRIMARY KEY);`;

/** Makes that in an empty database, with one Mandant and the migrations up to the number `last`. */
export async function makeFormer(
  connection: pg.ClientConfig,
  last: number = LAST_BEFORE_BASELINE,
): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('BEGIN');
    await makeSchema(
      client,
      readMigrations().filter(({ number }) => number === BASELINE),
    );
    await client.query(MORE);
    await client.query(
      `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES (gen_random_uuid(), 'Früher GmbH', 'frei', 'Europe/Berlin')`,
    );
    await client.query('DELETE FROM migrationen');
    await client.query(
      `INSERT INTO migrationen (nummer, name, pruefsumme) SELECT n, n || '.sql', 'x' FROM generate_series(1, $1::int) AS n`,
      [last],
    );
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
