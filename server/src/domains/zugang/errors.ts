import { AppError, conflict, InvalidInput, unauthorized } from '#kernel/errors.ts';
import { FREE_PACKAGE } from './rules.ts';

/** One answer for an unknown address, a wrong password and a disabled user. */
export const loginFailed = () =>
  unauthorized('anmeldung_falsch', 'E-Mail-Adresse oder Passwort stimmt nicht.');

export const emailTaken = () =>
  conflict('email_vergeben', 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.');

/** Other packages are booked once the account exists. */
export const packageNotFree = (input: string) =>
  new InvalidInput({ path: ['paket'], expected: [FREE_PACKAGE], input });

const CODE_NEEDED = 'Bitte geben Sie den Code aus Ihrer Authenticator-App ein.';

/** Only after the right password. */
export const codeNeeded = () => unauthorized('code_noetig', CODE_NEEDED);

/** The same for somebody who is signed in already. */
export const ownCodeNeeded = () => new AppError('forbidden', 'code_noetig', CODE_NEEDED);

const WRONG_CODE = 'Der Code stimmt nicht oder wurde schon benutzt.';

export const loginCodeWrong = () => unauthorized('code_falsch', WRONG_CODE);

/** The same for somebody who is signed in already. */
export const codeWrong = () => new AppError('forbidden', 'code_falsch', WRONG_CODE);

export const passwordWrong = () => new AppError('forbidden', 'passwort_falsch', 'Das Passwort stimmt nicht.');

/** A new password, which is not repeated in the answer. */
export const passwordGuessable = (field: string) =>
  new InvalidInput({
    path: [field],
    reason: 'Dieses Passwort ist leicht zu erraten. Bitte wählen Sie ein anderes.',
  });

export const noPassword = () =>
  conflict(
    'passwort_fehlt',
    'Sie haben noch kein Passwort. Fordern Sie auf der Anmeldeseite mit „Passwort vergessen“ einen Link an, mit dem Sie eines festlegen.',
  );

export const signInTooOld = () =>
  new AppError('forbidden', 'anmeldung_zu_alt', 'Bitte melden Sie sich dafür noch einmal an.');

export const secondFactorActive = () =>
  conflict('zweiter_faktor_aktiv', 'Der zweite Faktor ist schon eingeschaltet.');

export const secondFactorNotBegun = () =>
  conflict('zweiter_faktor_nicht_begonnen', 'Bitte beginnen Sie zuerst die Einrichtung.');

export const secondFactorMissing = () =>
  conflict('zweiter_faktor_fehlt', 'Der zweite Faktor ist nicht eingeschaltet.');

export const emailProvenAlready = () =>
  conflict('email_schon_bestaetigt', 'Ihre E-Mail-Adresse ist schon bestätigt.');

/** One answer for links that never were, are used up or too old. */
export const linkInvalid = () =>
  new AppError(
    'not-found',
    'link_ungueltig',
    'Dieser Link gilt nicht oder nicht mehr. Bitte fordern Sie einen neuen an.',
  );
