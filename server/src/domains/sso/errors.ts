import type { SsoFehler } from '#contracts';
import { AppError, conflict, notFound, unavailable } from '#kernel/errors.ts';

export const noCompanyAccount = () =>
  new AppError('not-found', 'kein_firmenkonto', 'Zu dieser E-Mail-Adresse gibt es kein Firmenkonto.');

export const providerSilent = () =>
  new AppError(
    'refused-elsewhere',
    'anbieter_nicht_erreichbar',
    'Der Anbieter des Firmenkontos ist gerade nicht zu erreichen oder falsch eingerichtet.',
  );

export const domainNotClaimed = () => notFound('Diese Domain');

export const domainTaken = () =>
  conflict(
    'domain_vergeben',
    'Diese Domain gehört schon zu einem anderen Konto. Bitte wenden Sie sich an den Betreiber.',
  );

export const dnsSilent = () =>
  unavailable('dns_nicht_erreichbar', 'Die Namensauflösung antwortet gerade nicht.', 30);

/** A return from the provider that signs nobody in. `code` is for the user, the message for the log. */
export class LoginRefused extends Error {
  readonly code: SsoFehler;

  constructor(code: SsoFehler, reason: string) {
    super(reason);
    this.name = 'LoginRefused';
    this.code = code;
  }
}
