import { unpinEdition } from '#domains/preise/index.ts';
import { type Command, CommandRefused } from './command.ts';

export const preislisteLoesen: Command = {
  name: 'preisliste-loesen',
  argumente: [],
  zweck: 'lässt wieder die neueste Ausgabe der Preisliste gelten',
  async run({ owner, print }) {
    const edition = await unpinEdition(owner);
    if (!edition) throw new CommandRefused('Es ist keine Ausgabe angeheftet.');
    print(`Es gilt jetzt „${edition.name}“ (Nummer ${edition.nummer}), und von nun an die neueste.`);
  },
};
