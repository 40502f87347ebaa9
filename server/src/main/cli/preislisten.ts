import { ageInDays, inForceOf, isOld, OLD_DAYS, readEditions, takePackaged } from '#domains/preise/index.ts';
import type { Command } from './command.ts';
import { formatInstant, formatTable } from './table.ts';

const HEAD = ['Nummer', 'Name', 'Stand', 'Alter (Tage)', 'Herkunft', 'Aufgenommen am', 'Modelle', 'Zustand'];

export const preislisten: Command = {
  name: 'preislisten',
  argumente: [],
  zweck: 'zeigt die Ausgaben der Preisliste: welche gilt, wie alt sie ist',
  async run({ owner, clock, config, print }) {
    const now = clock.now();
    await takePackaged(owner, now);
    const editions = await readEditions(owner);
    const inForce = inForceOf(editions);
    const cells = editions.map((edition) => {
      const { nummer, name, stand, herkunft, aufgenommen_am, modelle, angeheftet, abgelehnt } = edition;
      const states = [
        nummer === inForce?.nummer ? 'gilt' : null,
        angeheftet ? 'angeheftet' : null,
        abgelehnt === null ? null : `abgelehnt: ${abgelehnt}`,
      ];
      return [
        ...[nummer, name, stand, Math.floor(ageInDays(edition, now)), herkunft],
        ...[formatInstant(aufgenommen_am, config.timeZone), modelle],
        states.filter((state) => state !== null).join(', '),
      ];
    });
    for (const line of formatTable(HEAD, cells)) print(line);
    if (inForce && isOld(inForce, now)) print(`Die Preisliste, die gilt, ist älter als ${OLD_DAYS} Tage.`);
  },
};
