import { MAX_LIST_BYTES, takePackaged } from '#domains/preise/index.ts';
import { readBytes, readPastDay } from './arguments.ts';
import type { Command } from './command.ts';
import { outcomeOf, spoken, takeByHand } from './price-list.ts';

export const preislisteEinlesen: Command = {
  name: 'preisliste-einlesen',
  argumente: ['datei', 'stand'],
  zweck: 'nimmt eine Preisliste aus einer Datei auf; stand ist der Tag, an dem sie geholt wurde',
  async run(context, [path = '', day]) {
    const { owner, clock, print } = context;
    const now = clock.now();
    const stand = readPastDay(day, now);
    const bytes = await readBytes(path, MAX_LIST_BYTES);
    await takePackaged(owner, now);
    const offer = { bytes, herkunft: 'datei', stand, bestaetigt_am: `${stand}T00:00:00Z` } as const;
    print(outcomeOf(await spoken(() => takeByHand(context, offer, now))));
  },
};
