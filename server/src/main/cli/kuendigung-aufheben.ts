import { takeBackKuendigung } from '#domains/kuendigung/index.ts';
import { readMandantId } from './arguments.ts';
import type { Command } from './command.ts';

export const kuendigungAufheben: Command = {
  name: 'kuendigung-aufheben',
  argumente: ['mandant_id'],
  zweck: 'nimmt eine Kündigung zurück, solange noch nichts gelöscht ist',
  async run(context, args) {
    const mandant = readMandantId(args[0]);
    const { firma, entsperrte_schluessel, ohne_adresse } = await takeBackKuendigung(
      context.owner,
      context,
      mandant,
      { akteur: context.akteur, now: context.clock.now() },
    );
    const name = firma.replace(/\p{Cc}+/gu, ' ');
    context.print(
      `„${name}“ ist wieder aktiv; API-Schlüssel, die wieder gelten: ${entsperrte_schluessel}. Alle müssen sich neu anmelden; ein Paket muss neu gebucht werden.`,
    );
    if (ohne_adresse > 0)
      context.print(
        `Benutzer, deren Adresse inzwischen zu einem anderen Konto gehört und die sich nicht anmelden können: ${ohne_adresse}.`,
      );
  },
};
