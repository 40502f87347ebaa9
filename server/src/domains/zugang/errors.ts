import { InvalidInput } from '#http/index.ts';
import { AppError, conflict, unauthorized } from '#kernel/errors.ts';
import { FREE_PACKAGE } from './rules.ts';

/** One answer for an unknown address, a wrong password and a disabled user. */
export const loginFailed = () =>
  unauthorized('anmeldung_falsch', 'E-Mail-Adresse oder Passwort stimmt nicht.');

export const emailTaken = () =>
  conflict('email_vergeben', 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.');

export const tooManyAttempts = (seconds: number) =>
  new AppError(429, 'zu_viele_versuche', 'Zu viele Versuche. Bitte warten Sie einige Minuten.', {
    'retry-after': String(seconds),
  });

/** Other packages are booked once the account exists. */
export const packageNotFree = (input: string) =>
  new InvalidInput([
    {
      type: 'literal_error',
      loc: ['body', 'paket'],
      msg: `Input should be '${FREE_PACKAGE}'`,
      input,
      ctx: { expected: `'${FREE_PACKAGE}'` },
    },
  ]);
