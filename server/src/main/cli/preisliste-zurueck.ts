import { goBack, takePackaged } from '#domains/preise/index.ts';
import { actAsOperator } from '#domains/protokoll/index.ts';
import { type Command, CommandRefused } from './command.ts';
import { actOn } from './price-list.ts';

export const preislisteZurueck: Command = {
  name: 'preisliste-zurueck',
  argumente: [],
  zweck: 'geht zur vorigen Ausgabe der Preisliste zurück und heftet sie an',
  async run({ owner, akteur, clock, print }) {
    await takePackaged(owner, clock.now());
    const edition = await actAsOperator(owner, { akteur, now: clock.now() }, async (within) => {
      const result = await goBack(within);
      return { result, act: result && actOn('preisliste.zurueckgegangen', result) };
    });
    if (!edition) throw new CommandRefused('Eine frühere Ausgabe gibt es nicht.');
    print(
      `Es gilt jetzt „${edition.name}“ (Nummer ${edition.nummer}), bis „preisliste-loesen“ die neueste wieder gelten lässt.`,
    );
  },
};
