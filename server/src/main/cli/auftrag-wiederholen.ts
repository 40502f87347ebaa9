import { requeueDeadLetters } from '#jobs/index.ts';
import { readAuftragId } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

const ALL = 'alle';

export const auftragWiederholen: Command = {
  name: 'auftrag-wiederholen',
  argumente: ['auftrag_id'],
  zweck: `lässt einen aufgegebenen Auftrag erneut laufen („${ALL}“ für alle)`,
  async run({ owner, print }, args) {
    const id = args[0] === ALL ? null : readAuftragId(args[0]);
    const count = await requeueDeadLetters(owner, id);
    if (id !== null && count === 0)
      throw new CommandRefused('Einen aufgegebenen Auftrag mit dieser Id gibt es nicht.');
    print(`Aufträge, die erneut laufen: ${count}.`);
  },
};
