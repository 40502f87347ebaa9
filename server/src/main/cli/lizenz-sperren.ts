import { block } from '#domains/lizenzen/index.ts';
import type { Command } from './command.ts';
import { outcomeOf, refused, wahlOf } from './licences.ts';

export const lizenzSperren: Command = {
  name: 'lizenz-sperren',
  argumente: ['lizenz', 'grund'],
  zweck: 'sperrt eine Lizenz (Id oder Fingerabdruck) oder alle eines Kunden',
  async run(context, [text, grund = '']) {
    const changed = await refused(block(context, wahlOf(text), grund, context.akteur));
    context.print(outcomeOf('gesperrt', changed));
  },
};
