import { unblock } from '#domains/lizenzen/index.ts';
import type { Command } from './command.ts';
import { outcomeOf, refused, wahlOf } from './licences.ts';

export const lizenzEntsperren: Command = {
  name: 'lizenz-entsperren',
  argumente: ['lizenz'],
  zweck: 'nimmt eine Lizenz oder alle eines Kunden von der Sperrliste',
  async run({ owner, akteur, clock, print }, [text]) {
    const changed = await refused(unblock(owner, wahlOf(text), { akteur, now: clock.now() }));
    print(outcomeOf('entsperrt', changed));
  },
};
