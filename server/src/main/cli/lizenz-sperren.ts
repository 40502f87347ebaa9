import { block } from '#domains/lizenzen/index.ts';
import type { Command } from './command.ts';
import { outcomeOf, refused, wahlOf } from './licences.ts';

export const lizenzSperren: Command = {
  name: 'lizenz-sperren',
  argumente: ['lizenz', 'grund'],
  zweck: 'sperrt eine Lizenz (Id oder Fingerabdruck) oder alle eines Kunden',
  async run({ owner, akteur, clock, print }, [text, grund = '']) {
    const acting = { akteur, now: clock.now() };
    const changed = await refused(block(owner, wahlOf(text), grund, acting));
    print(outcomeOf('gesperrt', changed));
  },
};
