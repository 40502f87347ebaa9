/**
 * A backup put into an empty database, in one transaction: the schema of its time by the migrations, then the rows. Killed at
 * any time, the database is as empty as before. Migrations that came later run afterwards, as at any start.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { BASELINE, requirePieces, standOf } from '../baseline.ts';
import { isCoordinator } from '../cluster.ts';
import { SCHEMA_LOCK } from '../distribution.ts';
import { type Migration, makeSchema, readMigrations } from '../migrate.ts';
import { BackupRefused, type BackupTable, type Manifest, partOf } from './manifest.ts';
import { readTables } from './tables.ts';

/** Tables of databases of 0.3.0 that the baseline has not: nothing asks for what they hold. */
const GONE = new Set([
  'lauf_zustaende',
  'verbrauch_einzeln',
  'verbrauch_liste',
  'verbrauch_minute',
  'verbrauch_paar',
  'verbrauch_rangliste',
  'verbrauch_stunde',
  'verbrauch_tag',
  'verbrauch_woche',
]);
const ofToday = ({ tabellen }: Manifest): BackupTable[] => tabellen.filter(({ name }) => !GONE.has(name));

/**
 * The migrations that make the schema of a backup; refuses one of a version that has others. What was backed up by 0.3.0 counts as
 * having the baseline.
 */
export function migrationsOf({ version, migrationen }: Manifest): Migration[] {
  const known = new Map(readMigrations().map((migration) => [migration.number, migration]));
  const stand = standOf(migrationen.map(({ nummer }) => nummer));
  if (stand === 'less')
    throw new BackupRefused(
      `Die Sicherung ist von einer Version vor 0.3.0. Bitte spielen Sie sie mit v0.3.0 zurück und starten Sie danach diese Version (docs/operations.md). Geändert wurde nichts.`,
    );
  const counted = stand === 'counts as baseline' ? [known.get(BASELINE) as Migration] : [];
  const later = migrationen.filter(({ nummer }) => nummer >= BASELINE);
  const run = later.map(({ nummer, name, pruefsumme }) => {
    const migration = known.get(nummer);
    if (migration?.checksum === pruefsumme) return migration;
    throw new BackupRefused(
      `Die Sicherung ist von einer anderen oder neueren Version (${version}): Die Migration „${name}“ kennt diese nicht.`,
    );
  });
  return [...counted, ...run];
}

async function requireEmpty(client: pg.Client): Promise<void> {
  if (await isCoordinator(client))
    throw new BackupRefused('In einen Cluster lässt sich keine Sicherung zurückspielen.');
  const { rowCount } = await client.query(
    `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') LIMIT 1`,
  );
  if (rowCount !== 0)
    throw new BackupRefused(
      'Die Datenbank ist nicht leer. Zurückgespielt wird nur in eine leere: in ein neues DATA_DIR oder eine neue Datenbank. Geändert wurde nichts.',
    );
}

/** The rows must fit the schema that the migrations have made: the same tables with the same columns. */
async function requireSameTables(client: pg.Client, manifest: Manifest): Promise<void> {
  const said = new Map(ofToday(manifest).map(({ name, spalten }) => [name, spalten.toSorted().join()]));
  const made = (await readTables(client)).map(
    ({ name, spalten }) => [name, spalten.toSorted().join()] as const,
  );
  const other = made.find(([name, columns]) => said.get(name) !== columns);
  if (other || made.length !== said.size)
    throw new BackupRefused(
      `Die Sicherung passt nicht zu ihren Migrationen${other ? `: Tabelle „${other[0]}“` : ''}.`,
    );
}

interface ForeignKey {
  tabelle: string;
  name: string;
  regel: string;
}

/** Takes foreign keys and triggers away while rows come in any order; the function that is answered puts them back, and checks. */
async function suspendRules(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS tabelle, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS regel
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`,
  );
  const { rows: triggers } = await client.query<{ tabelle: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS tabelle FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace`,
  );
  for (const { tabelle, name } of keys) await client.query(`ALTER TABLE ${tabelle} DROP CONSTRAINT ${name}`);
  for (const { tabelle } of triggers) await client.query(`ALTER TABLE ${tabelle} DISABLE TRIGGER USER`);
  return async () => {
    for (const { tabelle } of triggers) await client.query(`ALTER TABLE ${tabelle} ENABLE TRIGGER USER`);
    for (const { tabelle, name, regel } of keys)
      await client.query(`ALTER TABLE ${tabelle} ADD CONSTRAINT ${name} ${regel}`);
  };
}

/** What is unpacked, as long as it is what was packed: the file itself may say anything. */
const atMost = (bytes: number, name: string) =>
  async function* unpacked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = bytes;
    for await (const chunk of chunks) {
      left -= chunk.length;
      if (left < 0)
        throw new BackupRefused(
          `Die Sicherung ist beschädigt: „${name}“ ist entpackt größer als beim Sichern. Geändert wurde nichts.`,
        );
      yield chunk;
    }
  };

async function loadTable(client: pg.Client, directory: string, table: BackupTable): Promise<void> {
  const columns = table.spalten.map((name) => pg.escapeIdentifier(name)).join(', ');
  const rows = client.query(copyFrom(`COPY ${pg.escapeIdentifier(table.name)} (${columns}) FROM STDIN`));
  await pipeline(
    createReadStream(join(directory, partOf(table.name))),
    createZstdDecompress(),
    atMost(table.umfang, table.name),
    rows,
  );
  if (rows.rowCount !== table.zeilen)
    throw new BackupRefused(
      `Die Sicherung ist beschädigt: „${table.name}“ hat ${rows.rowCount} statt ${table.zeilen} Zeilen. Geändert wurde nichts.`,
    );
}

async function load(client: pg.Client, directory: string, manifest: Manifest): Promise<void> {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
  await requireEmpty(client);
  await makeSchema(client, migrationsOf(manifest));
  await requireSameTables(client, manifest);
  for (const month of manifest.monate) {
    const day = `${month}-01`;
    await client.query('SELECT zw_monate_anlegen($1, $1)', [day]);
  }
  const resume = await suspendRules(client);
  // Some migrations leave rows of their own.
  const tables = ofToday(manifest);
  const names = tables.map(({ name }) => pg.escapeIdentifier(name));
  await client.query(`TRUNCATE ${names.join(', ')}`);
  for (const table of tables) await loadTable(client, directory, table);
  await resume();
  // Else what the tables that are left behind hold would be missing.
  await requirePieces(client);
  await client.query('COMMIT');
  await client.query('ANALYZE');
}

/**
 * Puts a backup that `readBackup` has checked into the database. Throws `BackupRefused` where that is not empty or the backup does not
 * fit this version, `SchemaTooOld` where 0.3.0 was not done with it; then nothing has changed.
 */
export async function restoreBackup(
  connection: pg.ClientConfig,
  directory: string,
  manifest: Manifest,
): Promise<void> {
  const client = new pg.Client({
    ...connection,
    application_name: 'zaehlwerk-wiederherstellung',
    options: '-c TimeZone=UTC',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await load(client, directory, manifest);
  } finally {
    // What is not committed is undone by the end of the connection.
    await client.end();
  }
}
