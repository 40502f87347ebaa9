import { actAsOperator } from '#domains/protokoll/index.ts';
import { requeueDeadLetters } from '#jobs/index.ts';
import { readAuftragId } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

const ALL = 'alle';

export const auftragWiederholen: Command = {
  name: 'auftrag-wiederholen',
  argumente: ['auftrag_id'],
  zweck: `lässt einen aufgegebenen Auftrag erneut laufen („${ALL}“ für alle)`,
  async run({ owner, akteur, clock, print }, args) {
    const id = args[0] === ALL ? null : readAuftragId(args[0]);
    const count = await actAsOperator(owner, { akteur, now: clock.now() }, async (within) => {
      const anzahl = await requeueDeadLetters(within, id);
      const act = { aktion: 'auftrag.wiederholt', objekt: { art: 'auftrag', id }, nachher: { anzahl } };
      return { result: anzahl, act: anzahl > 0 ? act : null };
    });
    if (id !== null && count === 0)
      throw new CommandRefused('Einen aufgegebenen Auftrag mit dieser Id gibt es nicht.');
    print(`Aufträge, die erneut laufen: ${count}.`);
  },
};
