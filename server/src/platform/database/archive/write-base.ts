/**
 * A copy of the data files while the server works: with the log from its beginning on, PostgreSQL goes to any instant after it. Between
 * `pg_backup_start` and `pg_backup_stop` files may be read in any order and while they are written; the log puts right what is torn.
 */
import { createHash } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { flush, isThere, removeLeftovers, requireRoom, unfinishedName } from '../backup/folder.ts';
import { BackupRefused, SUMS, sumsText } from '../backup/manifest.ts';
import { SIGNATURE, signatureOf } from '../backup/signature.ts';
import { SYSTEM_ROLE } from '../embedded/access.ts';
import { dataFilesOf } from '../embedded/data-files.ts';
import { BASE_FORMAT, BASE_MANIFEST, type BaseManifest } from './base-manifest.ts';
import { type CopiedFile, findDataFiles, forEachFile, packFile } from './copy-files.ts';
import { packedName } from './packed.ts';
import { type Archive, type ArchivePlace, placeOf } from './place.ts';
import { placeInLog, segmentAt, segmentName } from './segments.ts';

/** Data files take less packed than on the disk; by how much at least. */
const PACKED = 3;
const PAUSE_MS = 100;
/** How long the archive may take nothing at all while it is waited for. */
const PATIENCE_MS = 120_000;

export interface BaseOptions {
  /** As the owner, over the socket. */
  connection: pg.ClientConfig;
  dataDir: string;
  archive: Archive;
  /** What it is called, `zaehlwerk-…`. */
  name: string;
  version: string;
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    user: SYSTEM_ROLE,
    application_name: 'zaehlwerk-grundlage',
    options: '-c TimeZone=UTC',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function one<T extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<T> {
  return (await client.query<T>(text)).rows[0] as T;
}

async function requireArchiving(client: pg.Client, { log }: ArchivePlace): Promise<void> {
  const { mode, command } = await one<{ mode: string; command: string }>(
    client,
    `SELECT current_setting('archive_mode') AS mode, current_setting('archive_command') AS command`,
  );
  if (
    mode !== 'on' ||
    !command.includes(dirname(dirname(log)).replaceAll("'", `'\\''`).replaceAll('%', '%%'))
  )
    throw new BackupRefused(
      'Der laufende Dienst archiviert nicht nach WAL_ARCHIV; bitte starten Sie ihn mit dieser Einstellung neu.',
    );
}

interface Archiver {
  archived: string;
  failed: string;
}
const readArchiver = (client: pg.Client): Promise<Archiver> =>
  one(client, 'SELECT archived_count AS archived, failed_count AS failed FROM pg_stat_archiver');

/** Until the archive has all of the log that the copy needs. */
async function untilArchived(client: pg.Client, place: ArchivePlace, segment: string): Promise<void> {
  const path = join(place.log, packedName(segment));
  const before = await readArchiver(client);
  let last = before;
  let deadline = performance.now() + PATIENCE_MS;
  while (!(await isThere(path))) {
    const now = await readArchiver(client);
    if (now.archived !== last.archived) deadline = performance.now() + PATIENCE_MS;
    last = now;
    if (now.failed !== before.failed || performance.now() > deadline)
      throw new BackupRefused(
        `Das Archiv in „${dirname(place.log)}“ nimmt nichts an; eine Grundlage ohne das Protokoll dazu wäre keine.`,
      );
    await delay(PAUSE_MS);
  }
}

interface Copied {
  manifest: BaseManifest;
  files: CopiedFile[];
}

async function copyAll(client: pg.Client, directory: string, options: BaseOptions): Promise<Copied> {
  const cluster = dataFilesOf(options.dataDir);
  const begun = await one<{ lsn: string }>(client, `SELECT pg_backup_start('zaehlwerk', true) AS lsn`);
  const { directories, files: paths } = await findDataFiles(cluster);
  const files: CopiedFile[] = [];
  const pack = async (path: string) => {
    const file = await packFile(join(cluster, path), directory, path);
    if (file) files.push(file);
  };
  // The last one says from where on the log is replayed.
  await forEachFile(paths.slice(0, -1), pack);
  await forEachFile(paths.slice(-1), pack);
  const ended = await one<{ lsn: string; label: string; spaces: string | null }>(
    client,
    'SELECT lsn, labelfile AS label, spcmapfile AS spaces FROM pg_backup_stop(false)',
  );
  if (ended.spaces) throw new BackupRefused('Eine Grundlage nimmt keine Tablespaces mit.');
  const label = await packFile(Buffer.from(ended.label), directory, 'backup_label');
  if (label) files.push(label);
  const { stand, postgres } = await one<{ stand: Date; postgres: string }>(
    client,
    `SELECT clock_timestamp() + interval '1 ms' AS stand, current_setting('server_version') AS postgres`,
  );
  const manifest: BaseManifest = {
    format: BASE_FORMAT,
    version: options.version,
    postgres,
    zeitlinie: Number(/^START TIMELINE: (\d+)$/m.exec(ended.label)?.[1] ?? 1),
    log_von: begun.lsn,
    log_bis: ended.lsn,
    stand: stand.toISOString(),
    umfang: files.reduce((sum, { bytes }) => sum + bytes, 0),
    verzeichnisse: directories,
  };
  return { manifest, files };
}

async function sign(directory: string, { manifest, files }: Copied, secretKey: Buffer): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const hashes = new Map(files.map(({ name, hash }) => [name, hash]));
  hashes.set(BASE_MANIFEST, createHash('sha256').update(text).digest('hex'));
  const sums = sumsText(hashes);
  const written = [
    [BASE_MANIFEST, text],
    [SUMS, sums],
    [SIGNATURE, signatureOf(secretKey, sums)],
  ] as const;
  for (const [name, content] of written)
    await writeFile(join(directory, name), content, { flag: 'wx', mode: 0o600, flush: true });
}

/** The names of all files are on the disk, too. */
async function flushDirectories(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await flush(join(entry.parentPath, entry.name));
  await flush(directory);
}

async function requireRoomFor(cluster: string, bases: string): Promise<void> {
  const { files } = await findDataFiles(cluster);
  const sizes = files.map((path) =>
    stat(join(cluster, path)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await requireRoom(bases, Math.ceil(bytes / PACKED));
}

async function write(client: pg.Client, place: ArchivePlace, unfinished: string, options: BaseOptions) {
  const copied = await copyAll(client, unfinished, options);
  const last = segmentAt(placeInLog(copied.manifest.log_bis) - 1n);
  await untilArchived(client, place, segmentName({ timeline: copied.manifest.zeitlinie, number: last }));
  await sign(unfinished, copied, options.archive.secretKey);
  await flushDirectories(unfinished);
  return copied.manifest;
}

/** Made by root, it belongs to the service all the same, which looks into it and has it removed. */
async function giveAway(directory: string, bases: string): Promise<void> {
  const { uid, gid } = await stat(bases);
  if (process.getuid?.() !== 0 || uid === 0) return;
  for (const name of ['.', ...(await readdir(directory, { recursive: true }))])
    await chown(join(directory, name), uid, gid);
}

/**
 * Writes a base beside its name and gives it the name when all of it is on the disk, and its log in the archive; killed at any time, it leaves
 * none. Throws `BackupRefused` where the server does not archive, or there is no room.
 */
export async function writeBase(options: BaseOptions): Promise<BaseManifest> {
  const cluster = dataFilesOf(options.dataDir);
  const place = placeOf(options.archive.folder, cluster);
  const directory = join(place.bases, options.name);
  const client = await connect(options.connection);
  const unfinished = join(place.bases, unfinishedName(options.name));
  try {
    await requireArchiving(client, place);
    if (await isThere(directory)) throw new BackupRefused(`„${directory}“ gibt es schon.`);
    await removeLeftovers(directory);
    await requireRoomFor(cluster, place.bases);
    await mkdir(unfinished, { mode: 0o700 });
    const manifest = await write(client, place, unfinished, options);
    await giveAway(unfinished, place.bases);
    await rename(unfinished, directory);
    await flush(dirname(directory));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    throw new BackupRefused(`Für die Grundlage ist in „${place.bases}“ zu wenig Platz.`);
  } finally {
    await client.end();
  }
}
