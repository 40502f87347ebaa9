import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Manifest, writeBackup } from '#platform/database/backup/index.ts';
import { findSecretKey, fingerprintOf } from '#platform/secret-box.ts';
import { openAsItIs, reachDatabase } from '../database.ts';
import { VERSION } from '../version.ts';
import type { HostCommand } from './command.ts';
import { noteAct } from './note.ts';

/** `zaehlwerk-2026-11-23T09-15-00Z` below the data directory. */
const defaultDirectory = (dataDir: string, now: Date): string =>
  join(dataDir, 'sicherungen', `zaehlwerk-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`);

async function bytesIn(directory: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What the person at the keyboard must know about the key, which is never in a backup. */
function aboutKey({ schluessel }: Manifest): string {
  return schluessel === null
    ? 'Einen Schlüssel für Geheimnisse gibt es noch nicht.'
    : 'Nicht enthalten ist der Schlüssel für Geheimnisse (schluessel.key oder ZW_SCHLUESSEL); bitte bewahren Sie ihn getrennt auf.';
}

export const sicherung: HostCommand = {
  name: 'sicherung',
  argumente: [],
  wahlweise: ['verzeichnis'],
  zweck: 'sichert die Datenbank, während der Dienst läuft (ohne Angabe unter DATA_DIR/sicherungen)',
  async runOnHost(host, [path]) {
    const { config, clock, log, print } = host;
    const directory = resolve(path ?? defaultDirectory(config.dataDir, clock.now()));
    const key = findSecretKey(config.secretKey, config.dataDir);
    const database = await reachDatabase(config, log, openAsItIs);
    try {
      const manifest = await writeBackup({
        connection: database.connection,
        directory,
        version: VERSION,
        keyFingerprint: key && fingerprintOf(key),
      });
      const rows = manifest.tabellen.reduce((sum, { zeilen }) => sum + zeilen, 0);
      const mib = Math.ceil((await bytesIn(directory)) / 2 ** 20);
      print(`Gesichert nach ${directory}: Stand ${manifest.stand}, ${rows} Zeilen, ${mib} MiB.`);
      print(aboutKey(manifest));
      const objekt = { art: 'datenbank', name: basename(directory) };
      await noteAct(host, database, { aktion: 'datenbank.gesichert', objekt });
    } finally {
      await database.stop();
    }
  },
};
