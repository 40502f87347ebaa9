import { unpinEdition } from '#domains/preise/index.ts';
import { actAsOperator } from '#domains/protokoll/index.ts';
import { type Command, CommandRefused } from './command.ts';
import { actOn } from './price-list.ts';

export const preislisteLoesen: Command = {
  name: 'preisliste-loesen',
  argumente: [],
  zweck: 'lässt wieder die neueste Ausgabe der Preisliste gelten',
  async run({ owner, akteur, clock, print }) {
    const edition = await actAsOperator(owner, { akteur, now: clock.now() }, async (within) => {
      const result = await unpinEdition(within);
      return { result, act: result && actOn('preisliste.geloest', result) };
    });
    if (!edition) throw new CommandRefused('Es ist keine Ausgabe angeheftet.');
    print(`Es gilt jetzt „${edition.name}“ (Nummer ${edition.nummer}), und von nun an die neueste.`);
  },
};
