import { installedLicence, noteUse, type Outcome, takeList } from '#domains/installation/index.ts';
import { actAsOperator } from '#domains/protokoll/index.ts';
import { readShortFile } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

const REASONS = {
  nicht_erreichbar: 'sie ist nicht zu erreichen',
  keine_liste: 'das ist keine Sperrliste',
  signatur_falsch:
    'keiner der Schlüssel in LIZENZ_PRUEFSCHLUESSEL hat sie unterschrieben, oder sie wurde verändert',
  aelter: 'sie ist älter als die bekannte',
  widerspruch: 'sie hat die Nummer der bekannten, aber einen anderen Inhalt',
  abgelaufen: 'sie gilt nicht mehr',
  zukunft: 'sie ist aus der Zukunft; gehen die Uhren richtig?',
} as const;

export const sperrlisteEinlesen: Command = {
  name: 'sperrliste-einlesen',
  argumente: ['datei'],
  zweck: 'nimmt die Sperrliste der eigenen Lizenz aus einer Datei auf',
  async run({ owner, akteur, clock, config, print }, [path]) {
    const installed = await installedLicence(config);
    if (installed === null || 'invalid' in installed)
      throw new CommandRefused(
        'Diese Installation hat keine gültige Lizenz (LIZENZ, LIZENZ_PRUEFSCHLUESSEL).',
      );
    const body = await readShortFile(path);
    const outcome = await actAsOperator<Outcome>(owner, { akteur, now: clock.now() }, async (within) => {
      const now = await noteUse(within, installed.licence, clock.now());
      const received = { body, adresse: null, etag: null, frisch_bis: now };
      const result = await takeList(within, received, installed.keys, now);
      if (result.hindernis !== null) return { result, act: null };
      const { nummer } = result;
      const objekt = { art: 'sperrliste', id: String(nummer) };
      return { result, act: { aktion: 'sperrliste.aufgenommen', objekt, nachher: { nummer } } };
    });
    if (outcome.hindernis !== null)
      throw new CommandRefused(`Die Liste ist nicht aufgenommen: ${REASONS[outcome.hindernis]}.`);
    const { nummer, sperren } = outcome;
    print(`Die Sperrliste Nummer ${nummer} ist aufgenommen; gesperrte Lizenzen: ${sperren}.`);
  },
};
