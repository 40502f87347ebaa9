import { readFile, stat } from 'node:fs/promises';
import { MAX_LIST_BYTES, takePackaged } from '#domains/preise/index.ts';
import { readPastDay } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';
import { outcomeOf, spoken, takeByHand } from './price-list.ts';

async function readBytes(path: string): Promise<Buffer> {
  const { size } = await stat(path).catch(() => {
    throw new CommandRefused(`Die Datei „${path}“ gibt es nicht.`);
  });
  if (size > MAX_LIST_BYTES)
    throw new CommandRefused(`Die Datei „${path}“ ist größer als ${MAX_LIST_BYTES / 2 ** 20} MiB.`);
  return readFile(path).catch(() => {
    throw new CommandRefused(`Die Datei „${path}“ lässt sich nicht lesen.`);
  });
}

export const preislisteEinlesen: Command = {
  name: 'preisliste-einlesen',
  argumente: ['datei', 'stand'],
  zweck: 'nimmt eine Preisliste aus einer Datei auf; stand ist der Tag, an dem sie geholt wurde',
  async run(context, [path = '', day]) {
    const { owner, clock, print } = context;
    const now = clock.now();
    const stand = readPastDay(day, now);
    const bytes = await readBytes(path);
    await takePackaged(owner, now);
    const offer = { bytes, herkunft: 'datei', stand, bestaetigt_am: `${stand}T00:00:00Z` } as const;
    print(outcomeOf(await spoken(() => takeByHand(context, offer, now))));
  },
};
