/** The rules for migrations that a cluster can follow, too (CONTRIBUTING.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { cloneDatabase, onCluster } from '#test/database.ts';
import { splitStatements } from './statements.ts';
import { VOLUME_TABLES } from './volume-tables.ts';

const DIRECTORY = join(import.meta.dirname, '../../../migrations');
/** Applied before any cluster's tables were distributed. */
const FOUNDATION = 4;
const VOLUME: readonly string[] = VOLUME_TABLES;

/** What a file does to volume tables that are there already and that a cluster refuses. */
function faultsOf(sql: string): string[] {
  const statements = splitStatements(sql);
  const made = statements.map((text) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(text)?.[1]);
  return statements.filter((text) => {
    const [, table = '', actions = ''] = /^ALTER TABLE (?:IF EXISTS |ONLY )*(\w+)\s(.*)$/is.exec(text) ?? [];
    if (!VOLUME.includes(table) || made.includes(table)) return false;
    return actions
      .split(/,\s*(?=(?:ADD|ALTER|DROP)\b)/i)
      .some(
        (action) =>
          /\bSET STORAGE\b/i.test(action) ||
          (/^ADD (?!CONSTRAINT\b|CHECK\b)/i.test(action) && /\bCHECK\b/i.test(action)),
      );
  });
}

describe('what is done to a table', () => {
  const files = readdirSync(DIRECTORY).filter(
    (name) => name.endsWith('.sql') && Number(name.slice(0, 4)) > FOUNDATION,
  );
  test.each(files.map((name) => [name]))('%s can be done on a cluster', (name) => {
    expect(faultsOf(readFileSync(join(DIRECTORY, name), 'utf8'))).toEqual([]);
  });

  test.each([
    "ALTER TABLE laeufe ADD COLUMN a text CHECK (a IN ('b'))",
    'ALTER TABLE laeufe ADD a integer, ADD COLUMN b integer NOT NULL DEFAULT 1 CHECK (b > 0)',
    'ALTER TABLE ONLY ereignisse ALTER COLUMN zusatz SET STORAGE EXTERNAL',
  ])('refused: %s', (sql) => {
    expect(faultsOf(`SELECT 1;\n${sql};`)).toEqual([sql]);
  });

  test.each([
    "ALTER TABLE laeufe ADD COLUMN a text; ALTER TABLE laeufe ADD CONSTRAINT laeufe_a CHECK (a IN ('b'))",
    "ALTER TABLE mandanten ADD COLUMN a text CHECK (a IN ('b'))",
    'CREATE TABLE eingang (mandant_id uuid, daten bytea); ALTER TABLE eingang ALTER COLUMN daten SET STORAGE EXTERNAL',
  ])('right: %s', (sql) => {
    expect(faultsOf(sql)).toEqual([]);
  });
});

const UNFIT = `
  SELECT 'unique ' || i.indexrelid::regclass AS fault FROM pg_index i
  WHERE i.indisunique AND i.indrelid::regclass::text = ANY($1) AND NOT EXISTS (SELECT FROM pg_attribute a
    WHERE a.attrelid = i.indrelid AND a.attname = 'mandant_id' AND a.attnum = ANY(i.indkey::int2[]))
  UNION ALL SELECT 'reference ' || f.conname FROM pg_constraint f
  WHERE f.contype = 'f' AND f.conrelid::regclass::text = ANY($1) AND NOT f.confrelid::regclass::text = ANY($1)
  UNION ALL SELECT 'trigger ' || t.tgname FROM pg_trigger t
  WHERE NOT t.tgisinternal AND t.tgrelid::regclass::text = ANY($1)
  ORDER BY 1`;

/** What the volume tables have, after the migrations and `more`, that they cannot have on a cluster. */
async function unfitAfter(more: string): Promise<string[]> {
  const database = await cloneDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    await client.query(more);
    const { rows } = await client.query<{ fault: string }>(UNFIT, [VOLUME]);
    return rows.map(({ fault }) => fault);
  } finally {
    await client.end();
    await database.drop();
  }
}

describe('what volume tables have', () => {
  test('fits a cluster', async () => {
    expect(await unfitAfter('')).toEqual([]);
  });

  test.skipIf(onCluster())('else it is named', async () => {
    const faults = await unfitAfter(`
      CREATE UNIQUE INDEX agenten_name ON agenten (name);
      ALTER TABLE laeufe ADD CONSTRAINT laeufe_mandant FOREIGN KEY (mandant_id) REFERENCES mandanten;
      ALTER TABLE projekte ADD UNIQUE (mandant_id, name);
      CREATE TRIGGER eingang_neu AFTER INSERT ON eingang EXECUTE FUNCTION zw_sperrliste_geaendert();`);
    expect(faults).toEqual(['reference laeufe_mandant', 'trigger eingang_neu', 'unique agenten_name']);
  });
});
