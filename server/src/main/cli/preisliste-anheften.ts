import { pinEdition, takePackaged } from '#domains/preise/index.ts';
import { type Command, CommandRefused } from './command.ts';

export const preislisteAnheften: Command = {
  name: 'preisliste-anheften',
  argumente: ['nummer'],
  zweck: 'lässt eine Ausgabe der Preisliste gelten, bis sie gelöst wird',
  async run({ owner, clock, print }, [text = '']) {
    await takePackaged(owner, clock.now());
    const isNumber = /^[1-9]\d{0,8}$/.test(text);
    if (!isNumber || !(await pinEdition(owner, Number(text))))
      throw new CommandRefused(
        `Eine Ausgabe mit der Nummer „${text}“ gibt es nicht; „preislisten“ zeigt alle.`,
      );
    print(`Nummer ${text} gilt jetzt, bis „preisliste-loesen“ die neueste wieder gelten lässt.`);
  },
};
