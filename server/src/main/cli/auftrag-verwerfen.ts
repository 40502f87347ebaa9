import { discardDeadLetter } from '#jobs/index.ts';
import { readAuftragId } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

export const auftragVerwerfen: Command = {
  name: 'auftrag-verwerfen',
  argumente: ['auftrag_id'],
  zweck: 'entfernt einen aufgegebenen Auftrag endgültig',
  async run({ owner, print }, args) {
    if (!(await discardDeadLetter(owner, readAuftragId(args[0]))))
      throw new CommandRefused('Einen aufgegebenen Auftrag mit dieser Id gibt es nicht.');
    print('Der Auftrag ist entfernt.');
  },
};
