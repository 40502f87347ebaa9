/** How much guessing, and how much else without an account, is too much. */
import type { Allowance, AttemptLimits, SubjectLimits } from '#platform/throttle.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Passwords, by address at login and by id of the user who is signed in. */
export const PASSWORDS: AttemptLimits = {
  kind: 'passwort',
  window: 15 * MINUTE,
  perAccount: 10,
  perNetwork: 50,
  firstBlock: MINUTE,
};

/** Codes of the second factor, by id of the user: six digits are guessed sooner than a password. */
export const CODES: AttemptLimits = { ...PASSWORDS, kind: 'code', perAccount: 5 };

/** Reset links, by address, known or not: each may send a mail to somebody who did not ask for it. */
export const RESETS: AttemptLimits = {
  kind: 'ruecksetzung',
  window: HOUR,
  perAccount: 5,
  perNetwork: 50,
  firstBlock: HOUR,
};

/** From one network: a whole training room may sign up, a flood may not. */
export const REGISTRATIONS: SubjectLimits = { kind: 'registrierung', perHour: 200 };

/** Links to confirm an address that are asked for again, by address. */
export const CONFIRMATIONS: SubjectLimits = { kind: 'bestaetigung', perHour: 5 };

/** Such links sent at registrations, by address: whoever registers one and cancels again must not fill a mailbox. */
export const CONFIRMATIONS_UNASKED: Allowance = { kind: 'bestaetigung.registrierung', perDay: 3 };

/** Uses of links from mails, good or bad: nobody guesses one, but each costs a password hash. */
export const LINKS: SubjectLimits = { kind: 'link', perHour: 200 };

/** Failed logins of a user that go into the audit log, which must not grow with an attack. */
export const NOTED_FAILURES: Allowance = { kind: 'fehlschlag', perDay: 10 };
