import type { SsoFehler } from '#contracts';
import { AppError, conflict, InvalidInput, notFound, unavailable } from '#kernel/errors.ts';

export const noCompanyAccount = () =>
  new AppError('not-found', 'kein_firmenkonto', {
    de: 'Zu dieser E-Mail-Adresse gibt es kein Single Sign-on.',
    en: 'Single sign-on is not set up for this e-mail address.',
  });

export const providerSilent = () =>
  new AppError('refused-elsewhere', 'anbieter_nicht_erreichbar', {
    de: 'Der SSO-Anbieter ist gerade nicht zu erreichen oder falsch eingerichtet.',
    en: 'The SSO provider cannot be reached right now or is set up wrongly.',
  });

/** One answer whatever is at the address: it tells nothing of what the service can reach. */
export const noProviderAt = (issuer: string) =>
  new InvalidInput({
    path: ['issuer'],
    reason: {
      de: 'Unter dieser Adresse beschreibt sich kein OpenID-Anbieter, oder er ist nicht zu erreichen.',
      en: 'No OpenID provider describes itself at this address, or it cannot be reached.',
    },
    input: issuer,
  });

export const domainNotClaimed = () => notFound({ de: 'Diese Domain', en: 'This domain' });

export const domainTaken = () =>
  conflict('domain_vergeben', {
    de: 'Diese Domain gehört schon zu einem anderen Konto. Bitte wenden Sie sich an den Betreiber.',
    en: 'This domain belongs to another account already. Please turn to the operator.',
  });

export const dnsSilent = () =>
  unavailable(
    'dns_nicht_erreichbar',
    { de: 'Die Namensauflösung antwortet gerade nicht.', en: 'Name resolution does not answer right now.' },
    30,
  );

/** A return from the provider that signs nobody in. `code` is for the user, the message for the log. */
export class LoginRefused extends Error {
  readonly code: SsoFehler;

  constructor(code: SsoFehler, reason: string) {
    super(reason);
    this.name = 'LoginRefused';
    this.code = code;
  }
}
