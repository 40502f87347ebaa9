/** A database as 0.3.0 left it, or a version before; the code of 0.3.0 itself runs in acceptance/upgrade.test.ts. */
import pg from 'pg';
import { BASELINE, LAST_BEFORE_BASELINE } from '#platform/database/baseline.ts';
import { makeSchema, readMigrations } from '#platform/database/migrate.ts';

/** Tables that databases of 0.3.0 may have and the baseline has not, and those of them that 0.3.0 still names. */
const NAMED_STILL = ['verbrauch_einzeln', 'verbrauch_liste', 'verbrauch_stunde'];
const UNUSED = [
  'lauf_zustaende',
  'verbrauch_minute',
  'verbrauch_paar',
  'verbrauch_rangliste',
  'verbrauch_tag',
  'verbrauch_woche',
];
export const TABLES_BEFORE = { namedStill: NAMED_STILL, unused: UNUSED };
const MORE = [...NAMED_STILL, ...UNUSED]
  .map(
    (name) =>
      `CREATE TABLE ${name} (mandant_id uuid, merkmal_id integer, PRIMARY KEY (mandant_id, merkmal_id));`,
  )
  .join('\n');

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
      `INSERT INTO migrationen (nummer, name, pruefsumme) SELECT n, n || '.sql', 'x' FROM generate_series(100, $1::int) AS n`,
      [last],
    );
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
