import { pinEdition, readEditions, takePackaged } from '#domains/preise/index.ts';
import { actAsOperator } from '#domains/protokoll/index.ts';
import { type Command, CommandRefused } from './command.ts';
import { actOn } from './price-list.ts';

export const preislisteAnheften: Command = {
  name: 'preisliste-anheften',
  argumente: ['nummer'],
  zweck: 'lässt eine Ausgabe der Preisliste gelten, bis sie gelöst wird',
  async run({ owner, akteur, clock, print }, [text = '']) {
    const now = clock.now();
    await takePackaged(owner, now);
    const isNumber = /^[1-9]\d{0,8}$/.test(text);
    const nummer = Number(text);
    const pin = () =>
      actAsOperator(owner, { akteur, now }, async (within) => {
        const result = await pinEdition(within, nummer);
        const edition = (await readEditions(within)).find((each) => each.nummer === nummer);
        return { result, act: edition ? actOn('preisliste.angeheftet', edition) : null };
      });
    if (!isNumber || !(await pin()))
      throw new CommandRefused(
        `Eine Ausgabe mit der Nummer „${text}“ gibt es nicht; „preislisten“ zeigt alle.`,
      );
    print(`Nummer ${text} gilt jetzt, bis „preisliste-loesen“ die neueste wieder gelten lässt.`);
  },
};
