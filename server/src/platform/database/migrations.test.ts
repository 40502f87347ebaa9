/** The rules for migrations that a cluster can follow, too (CONTRIBUTING.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { faultsOfStatement, touchesVolume } from '#test/cluster-forms.ts';
import { cloneDatabase, onCluster } from '#test/database.ts';
import { BASELINE } from './baseline.ts';
import { splitStatements } from './statements.ts';
import { VOLUME_TABLES } from './volume-tables.ts';

const DIRECTORY = join(import.meta.dirname, '../../../migrations');
const VOLUME: readonly string[] = VOLUME_TABLES;

/** What a cluster refuses of what is done to a table that is spread already. */
const REFUSED = [
  // What a column brings along has to come as a constraint of its own.
  /^ADD (?!CONSTRAINT\b|CHECK\b|UNIQUE\b|PRIMARY\b|FOREIGN\b|EXCLUDE\b).*\b(?:CHECK|UNIQUE|PRIMARY KEY|REFERENCES)\b/is,
  /^ADD .*(?:\b(?:big|small)?serial\b|\bAS IDENTITY\b|\bnextval\()/is,
  /^ALTER (?:COLUMN )?\w+ (?:SET (?:STORAGE|STATISTICS)|ADD GENERATED)\b/i,
  /^(?:ALTER|DROP|RENAME) (?:COLUMN )?(?:IF EXISTS )?mandant_id\b/i,
  /^(?:RENAME CONSTRAINT|CLUSTER|(?:NO )?INHERIT|(?:EN|DIS)ABLE TRIGGER)\b/i,
  /\bON (?:DELETE|UPDATE) SET\b/i,
];
const CONSTRAINT = /^ADD (?:CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b/i;

function isRefusedChange(actions: string): boolean {
  const each = actions.split(/,\s*(?=(?:ADD|ALTER|DROP)\b)/i);
  return (
    each.some((action) => REFUSED.some((form) => form.test(action))) ||
    (each.length > 1 && each.some((action) => CONSTRAINT.test(action)))
  );
}

/** A function in SQL is planned without its arguments: it cannot be sent to the one node that they name. */
function isRefusedFunction(text: string): boolean {
  const [, given = '', body = ''] =
    /^CREATE (?:OR REPLACE )?FUNCTION \w+\s*\(([^)]*)\)(?=.*\bLANGUAGE sql\b).*?\$(\w*\$.*)\$\w*\$/is.exec(
      text,
    ) ?? [];
  return given.trim() !== '' && touchesVolume(body) && !/\bmandant_id =/.test(body);
}

/** What a file does with volume tables that are there already and that a cluster refuses. */
function faultsOf(sql: string): string[] {
  const statements = splitStatements(sql);
  const made = statements.map((text) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(text)?.[1]);
  const isSpread = (table: string) => VOLUME.includes(table) && !made.includes(table);
  return statements.filter((text) => {
    const [, table = '', actions = ''] = /^ALTER TABLE (?:IF EXISTS |ONLY )*(\w+)\s(.*)$/is.exec(text) ?? [];
    const [, changed = ''] = /^(?:INSERT INTO|UPDATE|DELETE FROM) (?:ONLY )?(\w+)/i.exec(text) ?? [];
    return (
      (isSpread(table) && isRefusedChange(actions)) ||
      (isSpread(changed) && faultsOfStatement(text, false).length > 0) ||
      isRefusedFunction(text)
    );
  });
}

describe('what is done to a table', () => {
  // Made by the baseline, tables are spread afterwards (`betreiber -- verteilen`).
  const files = readdirSync(DIRECTORY).filter(
    (name) => name.endsWith('.sql') && Number(name.slice(0, 4)) > BASELINE,
  );
  test.each(files.map((name) => [name]))('%s can be done on a cluster', (name) => {
    expect(faultsOf(readFileSync(join(DIRECTORY, name), 'utf8'))).toEqual([]);
  });

  test.each([
    "ALTER TABLE laeufe ADD COLUMN a text CHECK (a IN ('b'))",
    'ALTER TABLE laeufe ADD a integer, ADD COLUMN b integer NOT NULL DEFAULT 1 CHECK (b > 0)',
    'ALTER TABLE ONLY ereignisse ALTER COLUMN zusatz SET STORAGE EXTERNAL',
    'ALTER TABLE laeufe ALTER a SET STATISTICS 100',
    'ALTER TABLE laeufe ADD COLUMN a integer UNIQUE',
    'ALTER TABLE laeufe ADD COLUMN a uuid REFERENCES mandanten',
    'ALTER TABLE laeufe ADD COLUMN a bigserial',
    'ALTER TABLE laeufe ADD COLUMN a bigint GENERATED ALWAYS AS IDENTITY',
    "ALTER TABLE laeufe ADD COLUMN a bigint DEFAULT nextval('b')",
    'ALTER TABLE laeufe ALTER COLUMN a ADD GENERATED ALWAYS AS IDENTITY',
    'ALTER TABLE laeufe ADD COLUMN a integer, ADD CONSTRAINT b CHECK (a > 0)',
    'ALTER TABLE laeufe DROP CONSTRAINT laeufe_pkey, ADD PRIMARY KEY (mandant_id, lauf_id, agent)',
    'ALTER TABLE laeufe ADD CONSTRAINT a FOREIGN KEY (mandant_id, agent) REFERENCES agenten ON DELETE SET NULL',
    'ALTER TABLE laeufe ALTER COLUMN mandant_id TYPE text',
    'ALTER TABLE laeufe DROP COLUMN mandant_id',
    'ALTER TABLE laeufe RENAME CONSTRAINT laeufe_pkey TO a',
    'ALTER TABLE laeufe DISABLE TRIGGER ALL',
    'ALTER TABLE laeufe CLUSTER ON laeufe_pkey',
    'ALTER TABLE laeufe INHERIT agenten',
    "UPDATE laeufe SET ende = ende + interval '1 day'",
    'UPDATE laeufe l SET agent = (SELECT firma FROM mandanten m WHERE m.mandant_id = l.mandant_id)',
    'CREATE FUNCTION a(wer text) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM laeufe WHERE agent = wer $$',
  ])('refused: %s', (sql) => {
    expect(faultsOf(`SELECT 1;\n${sql};`)).toEqual([sql]);
  });

  test.each([
    "ALTER TABLE laeufe ADD COLUMN a text; ALTER TABLE laeufe ADD CONSTRAINT laeufe_a CHECK (a IN ('b'))",
    "ALTER TABLE mandanten ADD COLUMN a text CHECK (a IN ('b'))",
    'CREATE TABLE eingang (mandant_id uuid, daten bytea); ALTER TABLE eingang ALTER COLUMN daten SET STORAGE EXTERNAL',
    'ALTER TABLE laeufe ADD COLUMN a integer NOT NULL DEFAULT 1, ADD COLUMN b integer GENERATED ALWAYS AS (a + 1) STORED',
    'ALTER TABLE laeufe ADD CONSTRAINT a FOREIGN KEY (mandant_id, agent) REFERENCES agenten',
    'ALTER TABLE laeufe DROP COLUMN a, ALTER COLUMN b TYPE bigint',
    'UPDATE laeufe SET ende = now() FROM mandanten m WHERE m.mandant_id = laeufe.mandant_id',
    'CREATE FUNCTION a() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM laeufe $$',
    'CREATE FUNCTION a(wer uuid) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM laeufe WHERE mandant_id = wer $$',
    'CREATE FUNCTION a(wer text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM laeufe WHERE agent = wer; END $$',
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
