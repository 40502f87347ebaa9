import { nameOperator } from '#domains/zugang/index.ts';
import { readEmail } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

export const ernennen: Command = {
  name: 'ernennen',
  argumente: ['email'],
  zweck: 'macht einen Benutzer zum Betreiber',
  async run({ owner, clock, akteur, config, print }, args) {
    const email = readEmail(args[0]);
    const user = await nameOperator(owner, { email, akteur, now: clock.now() });
    if (!user) throw new CommandRefused(`Zu „${email}“ gibt es keinen aktiven Benutzer.`);
    const who = `${user.email} (${user.firma})`;
    print(
      user.geaendert
        ? `${who} ist jetzt Betreiber; alle Sitzungen wurden beendet.`
        : `${who} war schon Betreiber.`,
    );
    if (config.production && !user.zweiterFaktor)
      print('Der zweite Faktor fehlt noch: Ohne ihn wirken die Rechte eines Betreibers nicht.');
  },
};
