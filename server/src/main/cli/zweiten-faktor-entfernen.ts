import { dropSecondFactor } from '#domains/zugang/index.ts';
import { readEmail } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

export const zweitenFaktorEntfernen: Command = {
  name: 'zweiten-faktor-entfernen',
  argumente: ['email'],
  zweck: 'lässt einen Benutzer wieder ein, der Telefon und Wiederherstellungscodes verloren hat',
  async run(context, args) {
    const email = readEmail(args[0]);
    const { akteur, clock, config, owner, print } = context;
    const user = await dropSecondFactor(owner, context, { email, akteur, now: clock.now() });
    if (!user) throw new CommandRefused(`Zu „${email}“ gibt es keinen Benutzer.`);
    const who = `${user.email} (${user.firma.replace(/\p{Cc}+/gu, ' ')})`;
    print(
      user.geaendert
        ? `Der zweite Faktor von ${who} ist entfernt; alle Sitzungen wurden beendet.`
        : `${who} hat keinen zweiten Faktor; es bleibt alles, wie es ist.`,
    );
    if (config.production && user.geaendert && user.betreiber)
      print(
        'Bis der Benutzer einen neuen zweiten Faktor eingerichtet hat, wirken die Rechte eines Betreibers nicht.',
      );
  },
};
