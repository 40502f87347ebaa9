import { renewInvitationLink } from '#domains/benutzer/index.ts';
import { issueLink, type LinkKind } from '#domains/zugang/index.ts';
import { readEmail, readMandantId } from './arguments.ts';
import { type Command, type CommandContext, CommandRefused } from './command.ts';

const plain = (name: string) => name.replace(/\p{Cc}+/gu, ' ');

async function ofUser(
  { owner, config, akteur, clock, print }: CommandContext,
  kind: LinkKind,
  email: string,
) {
  const user = await issueLink(owner, { config }, { kind, email, akteur, now: clock.now() });
  if (!user?.aktiv) throw new CommandRefused(`Zu „${email}“ gibt es keinen aktiven Benutzer.`);
  const who = `${user.email} (${plain(user.firma)})`;
  if (user.link === null) {
    print(`Die Adresse ${who} ist schon bestätigt; es bleibt alles, wie es ist.`);
    return;
  }
  print(
    kind === 'passwort'
      ? `Mit diesem Link setzt ${who} ein neues Passwort. Er gilt eine halbe Stunde und einmal; frühere gelten nicht mehr.`
      : `Mit diesem Link bestätigt ${who} angemeldet die Adresse. Er gilt sieben Tage und einmal; frühere gelten nicht mehr.`,
  );
  print(user.link);
}

async function ofInvitation(context: CommandContext, email: string, mandantText: string | undefined) {
  const { owner, config, akteur, clock, print } = context;
  const mandant = mandantText === undefined ? undefined : readMandantId(mandantText);
  const wish = { email, mandant, akteur, now: clock.now() };
  const { found, link } = await renewInvitationLink(owner, { config }, wish);
  const [only] = found;
  if (!only) throw new CommandRefused(`Zu „${email}“ gibt es keine offene Einladung.`);
  if (link === null) {
    const ways = found.map(({ mandant, firma }) => `  link einladung ${email} ${mandant}  (${plain(firma)})`);
    throw new CommandRefused(
      [`„${email}“ ist mehrfach eingeladen; nennen Sie eines davon:`, ...ways].join('\n'),
    );
  }
  print(
    `Mit diesem Link nimmt ${only.email} die Einladung von ${plain(only.firma)} an. Er gilt einmal; frühere gelten nicht mehr.`,
  );
  print(link);
}

export const link: Command = {
  name: 'link',
  argumente: ['art', 'email'],
  wahlweise: ['mandant_id'],
  zweck: 'macht einen Link, den sonst eine Mail bringt; Art: passwort, bestaetigung oder einladung',
  run(context, [art, text, mandant]) {
    const email = readEmail(text);
    if (art === 'einladung') return ofInvitation(context, email, mandant);
    if (art !== 'passwort' && art !== 'bestaetigung')
      throw new CommandRefused(`„${art}“ ist keine Art von Link: passwort, bestaetigung oder einladung.`);
    return ofUser(context, art, email);
  },
};
