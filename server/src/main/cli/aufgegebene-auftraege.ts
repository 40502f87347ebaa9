import { listDeadLetters } from '#jobs/index.ts';
import type { Command } from './command.ts';
import { formatInstant, formatTable } from './table.ts';

const HEAD = ['ID', 'Auftrag', 'Mandant', 'Aufgegeben am', 'Versuche', 'Grund'];
const MOST = 200;

export const aufgegebeneAuftraege: Command = {
  name: 'aufgegebene-auftraege',
  argumente: [],
  zweck: `zeigt die letzten ${MOST} aufgegebenen Aufträge und warum`,
  async run({ owner, config, print }) {
    const cells = (await listDeadLetters(owner, MOST)).map(
      ({ auftrag_id, job, mandant, aufgegeben_am, versuche, fehler }) => [
        auftrag_id,
        job,
        mandant,
        formatInstant(aufgegeben_am, config.timeZone),
        versuche,
        // A reason is one line, whatever was answered.
        (fehler ?? '').replace(/\p{Cc}+/gu, ' '),
      ],
    );
    for (const line of formatTable(HEAD, cells)) print(line);
  },
};
