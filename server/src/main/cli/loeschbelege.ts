import type { Command } from './command.ts';
import { formatInstant, formatTable } from './table.ts';

const HEAD = ['Mandant', 'Gekündigt am', 'Löschung begonnen', 'Löschung beendet', 'Zeilen'];

const SELECT = `
  SELECT mandant, gekuendigt_am, begonnen_am, beendet_am,
    (SELECT coalesce(sum(value::bigint), 0)::text FROM jsonb_each_text(zeilen)) AS zeilen
  FROM loeschbelege ORDER BY begonnen_am, mandant`;

export const loeschbelege: Command = {
  name: 'loeschbelege',
  argumente: [],
  zweck: 'zeigt, wessen Daten nach einer Kündigung gelöscht wurden',
  async run({ owner, config, print }) {
    const { rows } = await owner.query<
      Record<'mandant' | 'gekuendigt_am' | 'begonnen_am' | 'zeilen', string> & { beendet_am: string | null }
    >(SELECT);
    const inZone = (instant: string | null) => formatInstant(instant, config.timeZone);
    const cells = rows.map(({ mandant, gekuendigt_am, begonnen_am, beendet_am, zeilen }) => [
      mandant,
      inZone(gekuendigt_am),
      inZone(begonnen_am),
      inZone(beendet_am),
      zeilen,
    ]);
    for (const line of formatTable(HEAD, cells)) print(line);
  },
};
