import { actOnMandant } from '#domains/protokoll/index.ts';
import { normaliseDomain, proveDomain } from '#domains/sso/index.ts';
import { AppError } from '#kernel/errors.ts';
import { readMandantId } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

export const domainBeweisen: Command = {
  name: 'domain-beweisen',
  argumente: ['mandant_id', 'domain'],
  zweck: 'erkennt eine Mail-Domain ohne TXT-Eintrag als bewiesen an',
  async run(context, args) {
    const { owner, akteur, clock } = context;
    const mandant = readMandantId(args[0]);
    const domain = normaliseDomain(args[1] ?? '');
    if (domain === null) throw new CommandRefused(`„${args[1]}“ ist keine Domain.`);
    try {
      await actOnMandant(owner, { akteur, now: clock.now() }, mandant, async (tx) => {
        const { neu } = await proveDomain(context, tx, akteur, domain);
        const objekt = { art: 'sso_domain', id: domain };
        const states = { vorher: { status: 'offen' }, nachher: { status: 'bewiesen' } };
        return { result: null, act: neu ? { aktion: 'sso.domain_bewiesen', objekt, ...states } : null };
      });
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not-found')
        throw new CommandRefused(
          `Dieser Mandant hat „${domain}“ nicht als Domain für Single Sign-on eingetragen.`,
        );
      throw error;
    }
    context.print(`„${domain}“ gehört jetzt zu diesem Mandanten.`);
  },
};
