/** How much guessing, and how much else without an account, is too much. */
import type { Allowance, AttemptLimits, Memory, SubjectLimits } from '#platform/throttle.ts';
import { RESET_VALID_MINUTES } from './rules.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Passwords: by address at login; by known device or network; by id of the user who is signed in. */
export const PASSWORDS: AttemptLimits = {
  kind: 'passwort',
  window: 15 * MINUTE,
  perAccount: 10,
  perNetwork: 50,
  firstBlock: MINUTE,
};

/** Codes of the second factor, by id of the user or by known device or network: six digits are guessed sooner than a password. */
export const CODES: AttemptLimits = { ...PASSWORDS, kind: 'code', perAccount: 5 };

/** Networks from which the user of an address has signed in; hashed with it. */
export const KNOWN_NETWORKS: Memory = { kind: 'bekanntes_netz', window: 30 * 24 * HOUR };

/** Reset links asked for, whatever the address: nobody is refused one because others have asked for it. */
export const RESET_REQUESTS: SubjectLimits = { kind: 'ruecksetzung', perHour: 50 };

/**
 * Reset links sent to a user, who may not have asked for them. Never for longer than a link holds: while no more are sent, the
 * last one in the mailbox is good.
 */
export const RESET_MAILS: Allowance = {
  kind: 'ruecksetzung.mail',
  most: 3,
  window: RESET_VALID_MINUTES * MINUTE,
};

/** From one network: a whole training room may sign up, a flood may not. */
export const REGISTRATIONS: SubjectLimits = { kind: 'registrierung', perHour: 200 };

/** Links to confirm an address that are asked for again, by address. */
export const CONFIRMATIONS: SubjectLimits = { kind: 'bestaetigung', perHour: 5 };

/** Such links sent at registrations, by address: registering and cancelling again must not fill a mailbox. */
export const CONFIRMATIONS_UNASKED: Allowance = {
  kind: 'bestaetigung.registrierung',
  most: 3,
  window: 24 * HOUR,
};

/** Uses of links from mails, good or bad: nobody guesses one, but each costs a password hash. */
export const LINKS: SubjectLimits = { kind: 'link', perHour: 200 };

/** Failed logins of a user that go into the audit log, which must not grow with an attack. */
export const NOTED_FAILURES: Allowance = { kind: 'fehlschlag', most: 10, window: 24 * HOUR };
