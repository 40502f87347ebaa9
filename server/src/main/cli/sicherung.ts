import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { noteBackup } from '#domains/system/index.ts';
import type { Config } from '#platform/config.ts';
import { readArchiveFiles, rotateArchive, writeBase } from '#platform/database/archive/index.ts';
import { type Manifest, rotate, writeBackup } from '#platform/database/backup/index.ts';
import { findSecretKey } from '#platform/secret-box.ts';
import { archiveOf, type OpenDatabase, openAsItIs, reachDatabase } from '../database.ts';
import { VERSION } from '../version.ts';
import { readCount } from './arguments.ts';
import { CommandRefused, type HostCommand, type HostContext, type Switches } from './command.ts';
import { asOwner, noteAct } from './note.ts';

/** With the log since the older of them there is any instant of a day at least. */
const BASES_KEPT = 2;
/** A backup every hour has one a day made, and one every night one every night. */
const BASE_IS_FRESH_MS = 20 * 3_600_000;

/** `zaehlwerk-2026-11-23T09-15-00Z` below the data directory. */
const defaultDirectory = (dataDir: string, now: Date): string =>
  join(dataDir, 'sicherungen', backupName(now));
const backupName = (now: Date): string => `zaehlwerk-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

async function bytesIn(directory: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What the person at the keyboard must know about the key, which is never in a backup. */
function aboutKey({ schluessel }: Manifest): string {
  return schluessel === null
    ? 'Einen Schlüssel für Geheimnisse gibt es noch nicht; die Sicherung ist nicht unterschrieben.'
    : 'Nicht enthalten ist der Schlüssel für Geheimnisse (schluessel.key oder ZW_SCHLUESSEL); bitte bewahren Sie ihn getrennt auf.';
}

/** Writes the backup, and that it is whole or failed, where the status page looks for it. */
async function write(
  host: HostContext,
  database: OpenDatabase,
  directory: string,
  secretKey: Buffer | null,
): Promise<void> {
  const { log, print } = host;
  const { connection } = database;
  let manifest: Manifest;
  try {
    manifest = await writeBackup({ connection, directory, version: VERSION, secretKey });
  } catch (error) {
    log.error({ err: error, directory }, 'backup failed');
    await asOwner(host, database, (owner) => noteBackup(owner, null)).catch(() => undefined);
    throw error;
  }
  const bytes = await bytesIn(directory);
  await asOwner(host, database, (owner) => noteBackup(owner, bytes));
  const rows = manifest.tabellen.reduce((sum, { zeilen }) => sum + zeilen, 0);
  log.info({ directory, stand: manifest.stand, rows, bytes }, 'backup made');
  print(
    `Gesichert nach ${directory}: Stand ${manifest.stand}, ${rows} Zeilen, ${Math.ceil(bytes / 2 ** 20)} MiB.`,
  );
  print(aboutKey(manifest));
}

async function removeOld(
  { log, print }: HostContext,
  folder: string,
  key: Buffer,
  count: number,
): Promise<void> {
  const { removed, damaged } = await rotate(folder, key, count);
  for (const name of removed) print(`Entfernt: ${name}`);
  for (const name of damaged) print(`Beschädigt und behalten: ${name}`);
  log.info({ folder, removed, damaged }, 'backups rotated');
}

/** Where the log is archived: a base at once, or where the last one is of yesterday. */
async function keepBase(host: HostContext, database: OpenDatabase, isWanted: boolean, keep: number) {
  const { config, clock, log, print } = host;
  const archive = archiveOf(config);
  if (archive === null) return;
  const { newestBase } = await readArchiveFiles(config.dataDir, archive.folder);
  if (!isWanted && newestBase !== null && clock.now().getTime() - Date.parse(newestBase) < BASE_IS_FRESH_MS)
    return;
  const { connection } = database;
  const name = backupName(clock.now());
  try {
    const { stand } = await writeBase({
      connection,
      dataDir: config.dataDir,
      archive,
      name,
      version: VERSION,
    });
    print(`Grundlage ${name} im Archiv: Von ${stand} an geht es zu jedem Zeitpunkt zurück.`);
    const { removed, damaged } = await rotateArchive(config.dataDir, archive, keep);
    for (const old of removed) print(`Entfernt: ${old}`);
    for (const broken of damaged) print(`Beschädigt und behalten: ${broken}`);
    log.info({ folder: archive.folder, name, stand, removed, damaged }, 'base made');
    await noteAct(host, database, { aktion: 'datenbank.gesichert', objekt: { art: 'datenbank', name } });
  } catch (error) {
    log.error({ err: error, folder: archive.folder }, 'base failed');
    throw error;
  }
}

/** What was asked for, once it is known to go together. */
interface Wish {
  directory: string;
  key: ReturnType<typeof findSecretKey>;
  /** How many backups are kept; null: all. */
  keep: number | null;
  isBaseAlone: boolean;
  bases: number;
}

function readWish({ config, clock }: HostContext, [path]: readonly string[], switches: Switches): Wish {
  const { behalten, in: folder, grundlage, grundlagen } = switches;
  const keep = behalten === undefined ? null : readCount(String(behalten));
  if (path !== undefined && folder !== undefined)
    throw new CommandRefused('Bitte nennen Sie ein Verzeichnis oder mit „--in“ einen Ordner, nicht beides.');
  const named = path ?? (folder === undefined ? undefined : join(String(folder), backupName(clock.now())));
  const directory = resolve(named ?? defaultDirectory(config.dataDir, clock.now()));
  const key = findSecretKey(config.secretKey, config.dataDir);
  if (keep !== null && key === null)
    throw new CommandRefused(
      'Ohne den Schlüssel für Geheimnisse ist nicht zu erkennen, welche Sicherungen von dieser Installation sind; „--behalten“ braucht ihn.',
    );
  const isBaseAlone = grundlage === true;
  if (isBaseAlone) requireArchiveAlone(config, path ?? folder ?? behalten);
  const bases = grundlagen === undefined ? BASES_KEPT : readCount(String(grundlagen));
  return { directory, key, keep, isBaseAlone, bases };
}

function requireArchiveAlone({ walArchive }: Config, elsewhere: unknown): void {
  if (elsewhere !== undefined)
    throw new CommandRefused('„--grundlage“ schreibt ins Archiv von WAL_ARCHIV und nirgendwo sonst hin.');
  if (walArchive === null)
    throw new CommandRefused('WAL_ARCHIV ist nicht gesetzt; eine Grundlage gehört zu einem Archiv.');
}

export const sicherung: HostCommand = {
  name: 'sicherung',
  argumente: [],
  wahlweise: ['verzeichnis'],
  schalter: {
    behalten: { wert: 'anzahl' },
    in: { wert: 'ordner' },
    grundlage: {},
    grundlagen: { wert: 'anzahl' },
  },
  zweck: 'sichert die Datenbank, während der Dienst läuft (ohne Angabe unter DATA_DIR/sicherungen)',
  async runOnHost(host, args, switches) {
    const { directory, key, keep, isBaseAlone, bases } = readWish(host, args, switches);
    const database = await reachDatabase(host.config, host.log, openAsItIs);
    try {
      if (isBaseAlone) return await keepBase(host, database, true, bases);
      await write(host, database, directory, key);
      if (keep !== null && key !== null) await removeOld(host, dirname(directory), key, keep);
      const objekt = { art: 'datenbank', name: basename(directory) };
      await noteAct(host, database, { aktion: 'datenbank.gesichert', objekt });
      await keepBase(host, database, false, bases);
    } finally {
      await database.stop();
    }
  },
};
