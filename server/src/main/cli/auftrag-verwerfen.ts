import { actAsOperator } from '#domains/protokoll/index.ts';
import { discardDeadLetter } from '#jobs/index.ts';
import { readAuftragId } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

export const auftragVerwerfen: Command = {
  name: 'auftrag-verwerfen',
  argumente: ['auftrag_id'],
  zweck: 'entfernt einen aufgegebenen Auftrag endgültig',
  async run({ owner, akteur, clock, print }, args) {
    const id = readAuftragId(args[0]);
    const discarded = await actAsOperator(owner, { akteur, now: clock.now() }, async (within) => {
      const result = await discardDeadLetter(within, id);
      return { result, act: result ? { aktion: 'auftrag.verworfen', objekt: { art: 'auftrag', id } } : null };
    });
    if (!discarded) throw new CommandRefused('Einen aufgegebenen Auftrag mit dieser Id gibt es nicht.');
    print('Der Auftrag ist entfernt.');
  },
};
