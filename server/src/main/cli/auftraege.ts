import { readJobStates } from '#jobs/index.ts';
import type { Command } from './command.ts';
import { formatTable } from './table.ts';

const HEAD = ['Auftrag', 'Wartend', 'Ältester seit (s)', 'Aufgegeben'];

export const auftraege: Command = {
  name: 'auftraege',
  argumente: [],
  zweck: 'zeigt, welche Aufträge warten und welche aufgegeben sind',
  async run({ db, print }) {
    const cells = (await readJobStates(db)).map(({ job, waiting, seconds, givenUp }) => [
      job,
      waiting,
      Math.floor(seconds),
      givenUp,
    ]);
    for (const line of formatTable(HEAD, cells)) print(line);
  },
};
