/** How many users and invitations are too many; how many mails the latter may be, the outbox says. */
import type { Most } from '#platform/database/index.ts';
import type { SubjectLimits } from '#platform/throttle.ts';

/** From one network, an hour: making many Mandanten does not help. */
export const INVITATIONS_OF_NETWORK: SubjectLimits = { kind: 'einladung.netz', perHour: 500 };

/** Those who are switched off are kept. */
export const USERS: Most = { table: 'benutzer', most: 5_000, what: { de: 'Benutzer', en: 'users' } };
/** Until they are accepted, or a week after they have expired. */
export const OPEN_INVITATIONS: Most = {
  table: 'einladungen',
  most: 1_000,
  what: { de: 'Einladungen', en: 'invitations' },
};
