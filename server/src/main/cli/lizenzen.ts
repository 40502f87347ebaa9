import { type Lizenzeintrag, listLicences } from '#domains/lizenzen/index.ts';
import type { Command } from './command.ts';
import { formatInstant, formatTable } from './table.ts';

const HEAD = [
  'Lizenz',
  'Kunde',
  'Paket',
  'Gültig bis',
  'Mandanten',
  'Ausgestellt am',
  'Zustand',
  'Fingerabdruck',
];
const PAGE = 500;

export const lizenzen: Command = {
  name: 'lizenzen',
  argumente: [],
  zweck: 'zeigt die ausgestellten Lizenzen, die neueste zuerst',
  async run({ owner, config, print }) {
    const all: Lizenzeintrag[] = [];
    for (;;) {
      const last = all.at(-1);
      const page = await listLicences(owner, last ? [last.ausgestellt_am, last.lizenz_id] : null, PAGE);
      all.push(...page);
      if (page.length < PAGE) break;
    }
    const instant = (text: string | null) => formatInstant(text, config.timeZone);
    const cells = all.map((each) => [
      ...[each.lizenz_id, each.kunde, each.paket, instant(each.gueltig_bis) ?? 'unbegrenzt', each.mandanten],
      instant(each.ausgestellt_am),
      each.grund === null ? each.status : `${each.status}: ${each.grund}`,
      each.fingerabdruck,
    ]);
    for (const line of formatTable(HEAD, cells)) print(line);
  },
};
