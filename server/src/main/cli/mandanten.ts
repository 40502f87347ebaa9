import { loeschungAb } from '#domains/kuendigung/index.ts';
import type { Command } from './command.ts';
import { formatInstant, formatTable } from './table.ts';

const HEAD = ['ID', 'Firma', 'Status', 'Gekündigt am', 'Löschung ab'];

export const mandanten: Command = {
  name: 'mandanten',
  argumente: [],
  zweck: 'zeigt alle Mandanten',
  async run({ owner, config, print }) {
    const { rows } = await owner.query<{
      mandant_id: string;
      firma: string;
      status: string;
      gekuendigt_am: string | null;
    }>('SELECT mandant_id, firma, status, gekuendigt_am FROM mandanten ORDER BY erstellt_am, mandant_id');
    const cells = rows.map(({ mandant_id, firma, status, gekuendigt_am }) => [
      mandant_id,
      // A name is one line, whatever was typed at registration.
      firma.replace(/\p{Cc}+/gu, ' '),
      status,
      formatInstant(gekuendigt_am, config.timeZone),
      formatInstant(gekuendigt_am && loeschungAb(gekuendigt_am), config.timeZone),
    ]);
    for (const line of formatTable(HEAD, cells)) print(line);
  },
};
