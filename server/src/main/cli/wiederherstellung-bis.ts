import { basename, resolve } from 'node:path';
import { lockDataDir } from '#platform/data-dir-lock.ts';
import { recoverTo, type Until } from '#platform/database/archive/index.ts';
import { findSecretKey } from '#platform/secret-box.ts';
import { archiveOf, openDatabase } from '../database.ts';
import { readCount, readInstant } from './arguments.ts';
import { CommandRefused, type HostCommand } from './command.ts';
import { noteAct } from './note.ts';

const readUntil = (text: string, now: Date): Until => (text === 'ende' ? text : readInstant(text, now));

export const wiederherstellungBis: HostCommand = {
  name: 'wiederherstellung-bis',
  argumente: ['zeitpunkt'],
  wahlweise: ['archiv'],
  schalter: { ungeprueft: {}, zeitlinie: { wert: 'nummer' } },
  zweck:
    'stellt die eingebettete Datenbank aus dem Archiv (WAL_ARCHIV) wieder her, wie sie zu einem Zeitpunkt war; „ende“: bis zuletzt',
  async runOnHost(host, [text = '', path], { ungeprueft, zeitlinie }) {
    const { config, clock, log, print } = host;
    const folder = path ?? config.walArchive;
    if (config.databaseUrl !== null)
      throw new CommandRefused('Ein eigener Server wird mit seinen eigenen Mitteln wiederhergestellt.');
    if (folder === null) throw new CommandRefused('Bitte nennen Sie das Archiv, oder setzen Sie WAL_ARCHIV.');
    const until = readUntil(text, clock.now());
    const trusted = ungeprueft === true;
    const secretKey = trusted ? 'unsigned' : findSecretKey(config.secretKey, config.dataDir);
    if (secretKey === null)
      throw new CommandRefused(
        'Der Schlüssel für Geheimnisse fehlt (schluessel.key in DATA_DIR oder ZW_SCHLUESSEL); ohne ihn ist nicht zu prüfen, ob das Archiv von dieser Installation ist. Wenn Sie ihm trotzdem vertrauen: „--ungeprueft“.',
      );
    const timeline = zeitlinie === undefined ? null : readCount(String(zeitlinie));
    const { dataDir } = config;
    const lock = await lockDataDir(dataDir);
    const recovered = await recoverTo({
      folder: resolve(folder),
      until,
      timeline,
      secretKey,
      dataDir,
      archive: archiveOf(config),
      log,
    }).finally(() => lock.release());
    // As the service starts it, which brings its schema up to date.
    const database = await openDatabase(config, log);
    const objekt = { art: 'datenbank', name: basename(recovered.base) };
    const nachher = { bis: text, stand: recovered.stand, ungeprueft: trusted };
    await noteAct(host, database, { aktion: 'datenbank.wiederhergestellt', objekt, nachher }).finally(() =>
      database.stop(),
    );
    print(
      `Wiederhergestellt aus ${recovered.base}, Zeitlinie ${recovered.timeline}: letzte Änderung ${recovered.stand ?? 'die der Grundlage'}.`,
    );
    if (config.walArchive !== null)
      print('Bitte machen Sie nach dem Start eine neue Grundlage: „sicherung --grundlage“.');
  },
};
