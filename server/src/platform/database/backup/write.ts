/**
 * A backup of the database while the service works: every table in one snapshot, so that sums and events agree. Read as rows
 * and not as files of the server, so that it fits any version of PostgreSQL, any processor, and a server of one's own.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { fingerprintOf } from '../../secret-box.ts';
import { isCoordinator } from '../cluster.ts';
import { SCHEMA_LOCK } from '../distribution.ts';
import { flush, isThere, removeLeftovers, requireRoom, unfinishedName } from './folder.ts';
import {
  BackupRefused,
  type BackupTable,
  FORMAT,
  MANIFEST,
  type Manifest,
  partOf,
  SUMS,
  sumsText,
} from './manifest.ts';
import { meter } from './meter.ts';
import { SIGNATURE, signatureOf } from './signature.ts';
import { readMonths, readTables, type TableColumns } from './tables.ts';

/** Rows take less packed than in the database; by how much at least. */
const PACKED = 4;

export interface BackupOptions {
  /** As the owner. */
  connection: pg.ClientConfig;
  /** Gets its name when the backup is whole; must not be there. */
  directory: string;
  version: string;
  /** The key of the secrets, which signs it and is not in it; null where there is none. */
  secretKey: Buffer | null;
}

const columnsText = ({ spalten }: TableColumns) =>
  spalten.map((name) => pg.escapeIdentifier(name)).join(', ');

interface WrittenTable extends BackupTable {
  hash: string;
}

async function writeTable(client: pg.Client, directory: string, table: TableColumns): Promise<WrittenTable> {
  const name = pg.escapeIdentifier(table.name);
  const rows = client.query(copyTo(`COPY (SELECT ${columnsText(table)} FROM ${name}) TO STDOUT`));
  const plain = meter();
  const packed = meter();
  const file = createWriteStream(join(directory, partOf(table.name)), {
    flags: 'wx',
    mode: 0o600,
    flush: true,
  });
  await pipeline(rows, plain.through, createZstdCompress(), packed.through, file);
  return { ...table, zeilen: rows.rowCount, umfang: plain.bytes(), hash: packed.hash() };
}

async function describe(client: pg.Client): Promise<Pick<Manifest, 'stand' | 'postgres' | 'migrationen'>> {
  const { rows } = await client.query<{ stand: Date; postgres: string }>(
    `SELECT now() AS stand, current_setting('server_version') AS postgres`,
  );
  const { stand, postgres } = rows[0] as { stand: Date; postgres: string };
  const migrations = await client.query<Manifest['migrationen'][number]>(
    'SELECT nummer, name, pruefsumme FROM migrationen ORDER BY nummer',
  );
  return { stand: stand.toISOString(), postgres, migrationen: migrations.rows };
}

async function requireRoomForAll(client: pg.Client, directory: string): Promise<void> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT coalesce(sum(pg_table_size(oid)), 0)::text AS bytes FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  await requireRoom(directory, Math.ceil(Number(rows[0]?.bytes ?? 0) / PACKED));
}

async function writeAll(client: pg.Client, directory: string, options: BackupOptions): Promise<Manifest> {
  const described = await describe(client);
  const tables: WrittenTable[] = [];
  await requireRoomForAll(client, directory);
  for (const table of await readTables(client)) {
    await requireRoom(directory, 0);
    tables.push(await writeTable(client, directory, table));
  }
  const manifest: Manifest = {
    format: FORMAT,
    version: options.version,
    ...described,
    schluessel: options.secretKey && fingerprintOf(options.secretKey),
    monate: await readMonths(client),
    tabellen: tables.map(({ hash: _hash, ...table }) => table),
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const hashes = new Map(tables.map(({ name, hash }) => [partOf(name), hash]));
  hashes.set(MANIFEST, createHash('sha256').update(text).digest('hex'));
  const sums = sumsText(hashes);
  const signed: [string, string][] = options.secretKey
    ? [[SIGNATURE, signatureOf(options.secretKey, sums)]]
    : [];
  for (const [name, content] of [[MANIFEST, text], [SUMS, sums], ...signed] as const)
    await writeFile(join(directory, name), content, { flag: 'wx', mode: 0o600, flush: true });
  return manifest;
}

/** One snapshot that no migration comes between: a table that is rewritten would look empty in it. */
async function inSnapshot<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connection,
    application_name: 'zaehlwerk-sicherung',
    options: '-c TimeZone=UTC',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (await isCoordinator(client))
      throw new BackupRefused(
        'Ein Cluster hat keinen gemeinsamen Stand; bitte sichern Sie ihn mit den Mitteln seines Betriebs.',
      );
    await client.query('SELECT pg_advisory_lock_shared($1)', [SCHEMA_LOCK]);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Writes a backup beside its name and gives it the name when all of it is on the disk; killed at any time, it leaves none.
 * Throws `BackupRefused` where the name is taken, there is no room, or the database is a cluster.
 */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const { directory } = options;
  if (await isThere(directory)) throw new BackupRefused(`„${directory}“ gibt es schon.`);
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  await removeLeftovers(directory);
  const unfinished = join(dirname(directory), unfinishedName(basename(directory)));
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const manifest = await inSnapshot(options.connection, (client) => writeAll(client, unfinished, options));
    await flush(unfinished);
    // Fails where somebody has put something there meanwhile, unless that is an empty directory.
    await rename(unfinished, directory);
    await flush(dirname(directory));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    throw new BackupRefused(`Für die Sicherung ist in „${dirname(directory)}“ zu wenig Platz.`);
  }
}
