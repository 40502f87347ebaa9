import { AppError, conflict, InvalidInput, unauthorized, type ValueFault } from '#kernel/errors.ts';
import { FREE_PACKAGE } from './rules.ts';

/** One answer for an unknown address, a wrong password and a disabled user. */
export const loginFailed = () =>
  unauthorized('anmeldung_falsch', {
    de: 'E-Mail-Adresse oder Passwort stimmt nicht.',
    en: 'E-mail address or password is wrong.',
  });

export const emailTaken = () =>
  conflict('email_vergeben', {
    de: 'Zu dieser E-Mail-Adresse gibt es schon ein Konto.',
    en: 'There is an account for this e-mail address already.',
  });

/** Other packages are booked once the account exists. */
export const packageNotFree = (input: string) =>
  new InvalidInput({ path: ['paket'], expected: [FREE_PACKAGE], input });

const CODE_NEEDED = {
  de: 'Bitte geben Sie den Code aus Ihrer Authenticator-App ein.',
  en: 'Please enter the code from your authenticator app.',
};

/** Only after the right password. */
export const codeNeeded = () => unauthorized('code_noetig', CODE_NEEDED);

/** The same for somebody who is signed in already. */
export const ownCodeNeeded = () => new AppError('forbidden', 'code_noetig', CODE_NEEDED);

const WRONG_CODE = {
  de: 'Der Code stimmt nicht oder wurde schon benutzt.',
  en: 'The code is wrong or was used before.',
};

export const loginCodeWrong = () => unauthorized('code_falsch', WRONG_CODE);

/** The same for somebody who is signed in already. */
export const codeWrong = () => new AppError('forbidden', 'code_falsch', WRONG_CODE);

export const passwordWrong = () =>
  new AppError('forbidden', 'passwort_falsch', {
    de: 'Das Passwort stimmt nicht.',
    en: 'The password is wrong.',
  });

/** A new password, which is not repeated in the answer. */
export const passwordGuessable = (field: string) =>
  new InvalidInput({
    path: [field],
    reason: {
      de: 'Dieses Passwort ist leicht zu erraten. Bitte wählen Sie ein anderes.',
      en: 'This password is easy to guess. Please choose another one.',
    },
  });

export const noPassword = () =>
  conflict('passwort_fehlt', {
    de: 'Sie haben noch kein Passwort. Fordern Sie auf der Anmeldeseite mit „Passwort vergessen“ einen Link an, mit dem Sie eines festlegen.',
    en: 'You have no password yet. Ask for a link with “Forgot password” on the login page and set one.',
  });

export const signInTooOld = () =>
  new AppError('forbidden', 'anmeldung_zu_alt', {
    de: 'Bitte melden Sie sich dafür noch einmal an.',
    en: 'Please sign in again for this.',
  });

export const secondFactorActive = () =>
  conflict('zweiter_faktor_aktiv', {
    de: 'Der zweite Faktor ist schon eingeschaltet.',
    en: 'The second factor is switched on already.',
  });

export const secondFactorNotBegun = () =>
  conflict('zweiter_faktor_nicht_begonnen', {
    de: 'Bitte beginnen Sie zuerst die Einrichtung.',
    en: 'Please begin setting it up first.',
  });

export const secondFactorMissing = () =>
  conflict('zweiter_faktor_fehlt', {
    de: 'Der zweite Faktor ist nicht eingeschaltet.',
    en: 'The second factor is not switched on.',
  });

export const emailProvenAlready = () =>
  conflict('email_schon_bestaetigt', {
    de: 'Ihre E-Mail-Adresse ist schon bestätigt.',
    en: 'Your e-mail address is confirmed already.',
  });

/** One answer for links that never were, are used up or too old. */
export const linkInvalid = () =>
  new AppError('not-found', 'link_ungueltig', {
    de: 'Dieser Link gilt nicht oder nicht mehr. Bitte fordern Sie einen neuen an.',
    en: 'This link is not valid, or no longer. Please ask for a new one.',
  });

export const zoneUnknown = (input: string): ValueFault => ({
  path: ['zeitzone'],
  reason: {
    de: 'Das ist keine Zeitzone wie „Europe/Berlin“.',
    en: 'This is no time zone like “Europe/Berlin”.',
  },
  input,
});
