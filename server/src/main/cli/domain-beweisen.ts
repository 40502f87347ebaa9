import { normaliseDomain, proveDomain } from '#domains/sso/index.ts';
import { AppError } from '#kernel/errors.ts';
import { readMandantId } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

export const domainBeweisen: Command = {
  name: 'domain-beweisen',
  argumente: ['mandant_id', 'domain'],
  zweck: 'erkennt eine Mail-Domain ohne TXT-Eintrag als bewiesen an',
  async run(context, args) {
    const mandant = readMandantId(args[0]);
    const domain = normaliseDomain(args[1] ?? '');
    if (domain === null) throw new CommandRefused(`„${args[1]}“ ist keine Domain.`);
    try {
      await proveDomain(context, mandant, context.akteur, domain);
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
