/** How many users and invitations are too many; invitations by the hour. */
import type { Most } from '#platform/database/index.ts';
import type { ErrandLimits, SubjectLimits } from '#platform/throttle.ts';

/** Each sends a mail to somebody who did not ask. A company may invite everybody on one day. */
export const INVITATIONS: ErrandLimits = { kind: 'einladung', perMandant: 500, perNetwork: 500 };
/** Of one address by one Mandant. */
export const INVITATIONS_OF_PAIR: SubjectLimits = { kind: 'einladung.paar', perHour: 5 };
/** Of one address by all. */
export const INVITATIONS_OF_ADDRESS: SubjectLimits = { kind: 'einladung.adresse', perHour: 20 };
/** Of a Mandant that nobody runs who has proven an address: nobody knows yet in whose name it writes. */
export const INVITATIONS_UNPROVEN: SubjectLimits = { kind: 'einladung.unbestaetigt', perHour: 20 };

/** Those who are switched off are kept. */
export const USERS: Most = { table: 'benutzer', most: 5_000, what: { de: 'Benutzer', en: 'users' } };
/** Until they are accepted, or a week after they have expired. */
export const OPEN_INVITATIONS: Most = {
  table: 'einladungen',
  most: 1_000,
  what: { de: 'Einladungen', en: 'invitations' },
};
