import { dismissOperator } from '#domains/zugang/index.ts';
import { readEmail } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

export const entlassen: Command = {
  name: 'entlassen',
  argumente: ['email'],
  zweck: 'macht einen Betreiber wieder zum gewöhnlichen Benutzer',
  async run({ owner, clock, akteur, config, print }, args) {
    const email = readEmail(args[0]);
    const user = await dismissOperator(owner, { email, akteur, now: clock.now() });
    if (!user) throw new CommandRefused(`Zu „${email}“ gibt es keinen Benutzer.`);
    const who = `${user.email} (${user.firma})`;
    print(
      user.geaendert
        ? `${who} ist nicht mehr Betreiber; alle Sitzungen wurden beendet.`
        : `${who} war kein Betreiber.`,
    );
    if (config.operatorEmails.includes(email.toLowerCase()))
      print(
        'Die Adresse steht noch in BETREIBER_EMAILS: Beim nächsten Start wird der Benutzer wieder Betreiber.',
      );
  },
};
