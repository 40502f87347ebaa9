import { goBack, takePackaged } from '#domains/preise/index.ts';
import { type Command, CommandRefused } from './command.ts';

export const preislisteZurueck: Command = {
  name: 'preisliste-zurueck',
  argumente: [],
  zweck: 'geht zur vorigen Ausgabe der Preisliste zurück und heftet sie an',
  async run({ owner, clock, print }) {
    await takePackaged(owner, clock.now());
    const edition = await goBack(owner);
    if (!edition) throw new CommandRefused('Eine frühere Ausgabe gibt es nicht.');
    print(
      `Es gilt jetzt „${edition.name}“ (Nummer ${edition.nummer}), bis „preisliste-loesen“ die neueste wieder gelten lässt.`,
    );
  },
};
