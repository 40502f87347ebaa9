import { unblock } from '#domains/lizenzen/index.ts';
import type { Command } from './command.ts';
import { outcomeOf, refused, wahlOf } from './licences.ts';

export const lizenzEntsperren: Command = {
  name: 'lizenz-entsperren',
  argumente: ['lizenz'],
  zweck: 'nimmt eine Lizenz oder alle eines Kunden von der Sperrliste',
  async run(context, [text]) {
    context.print(outcomeOf('entsperrt', await refused(unblock(context, wahlOf(text), context.akteur))));
  },
};
