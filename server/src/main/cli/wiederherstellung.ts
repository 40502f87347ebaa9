import { basename, resolve } from 'node:path';
import { type Manifest, migrationsOf, readBackup, restoreBackup } from '#platform/database/backup/index.ts';
import { findSecretKey, fingerprintOf } from '#platform/secret-box.ts';
import { bringUpToDate, openAsItIs } from '../database.ts';
import type { HostCommand, HostContext } from './command.ts';
import { noteAct } from './note.ts';

/** Whether what is sealed in the backup can be read here, as a sentence; null when it can. */
function aboutKey({ schluessel }: Manifest, { config }: HostContext): string | null {
  const key = findSecretKey(config.secretKey, config.dataDir);
  if (schluessel === null || (key && fingerprintOf(key) === schluessel)) return null;
  const what = key
    ? 'Der Schlüssel für Geheimnisse ist ein anderer als'
    : 'Es fehlt der Schlüssel für Geheimnisse von';
  return `${what} damals: Bitte legen Sie ihn vor dem Start als schluessel.key in DATA_DIR oder in ZW_SCHLUESSEL ab, sonst sind zweite Faktoren, Firmenkonten, Alarmkanäle und wartende Mails nicht zu lesen.`;
}

export const wiederherstellung: HostCommand = {
  name: 'wiederherstellung',
  argumente: ['verzeichnis'],
  schalter: { ungeprueft: {} },
  zweck: 'spielt eine Sicherung in eine leere Datenbank zurück, während kein Dienst läuft',
  async runOnHost(host, [path = ''], { ungeprueft }) {
    const { config, log, print } = host;
    const directory = resolve(path);
    const trusted = ungeprueft === true;
    const secretKey = findSecretKey(config.secretKey, config.dataDir);
    const manifest = await readBackup(directory, trusted ? 'unsigned' : secretKey);
    // Said before anything is made where it goes.
    migrationsOf(manifest);
    const key = aboutKey(manifest, host);
    const database = await openAsItIs(config, log);
    try {
      await restoreBackup(database.connection, directory, manifest);
    } catch (error) {
      await database.stop();
      throw error;
    }
    const restored = await bringUpToDate(database, log);
    const objekt = { art: 'datenbank', name: basename(directory) };
    const act = {
      aktion: 'datenbank.wiederhergestellt',
      objekt,
      nachher: { stand: manifest.stand, ungeprueft: trusted },
    };
    await noteAct(host, restored, act).finally(() => restored.stop());
    const rows = manifest.tabellen.reduce((sum, { zeilen }) => sum + zeilen, 0);
    print(`Zurückgespielt: Stand ${manifest.stand}, ${rows} Zeilen.`);
    if (key !== null) print(key);
  },
};
