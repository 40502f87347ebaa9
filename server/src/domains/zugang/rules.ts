/** Who may do what, how long a session or a link lasts. */
import type { Right, Rolle as RolleSchema, Static } from '#contracts';

export type Rolle = Static<typeof RolleSchema>;

const READING: readonly Right[] = ['selbst', 'verbrauch.lesen', 'konto.lesen'];
const EDITING: readonly Right[] = [...READING, 'agenten.aendern', 'schutz.aendern'];
const BOOKKEEPING: readonly Right[] = [
  ...READING,
  'daten.ausgeben',
  'preise.aendern',
  'weiterbelastung.verwalten',
];
const ADMINISTERING: readonly Right[] = [
  ...EDITING,
  'schluessel.verwalten',
  'benutzer.verwalten',
  'konto.verwalten',
  'protokoll.lesen',
  'daten.ausgeben',
  'preise.aendern',
  'weiterbelastung.verwalten',
];
const OWNING: readonly Right[] = [...ADMINISTERING, 'konto.buchen', 'konto.kuendigen'];

const RIGHTS: Record<Rolle, readonly Right[]> = {
  betrachter: READING,
  buchhaltung: BOOKKEEPING,
  bearbeiter: EDITING,
  verwalter: ADMINISTERING,
  inhaber: OWNING,
};

/** The rights of a role; a right that is not listed is not held. */
export const rightsOf = (rolle: Rolle): readonly Right[] => RIGHTS[rolle];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A session nobody used for this long has ended. */
export const SESSION_IDLE_MS = 12 * HOUR;
/** A session ends this long after its login, however busy it is. */
export const SESSION_ABSOLUTE_MS = 14 * 24 * HOUR;

/** What must not be left to the finder of an open session is done this long after its login. */
const RECENT_MS = 10 * MINUTE;

/** Whether a session that began then (ISO 8601) has begun lately. */
export const isRecent = (erstellt_am: string, now: Date): boolean =>
  now.getTime() - Date.parse(erstellt_am) <= RECENT_MS;

/** The two instants a session is judged by, ISO 8601. */
export interface SessionTimes {
  erstellt_am: string;
  zuletzt_am: string;
}

export function isSessionExpired(times: SessionTimes, now: Date): boolean {
  const idle = now.getTime() - Date.parse(times.zuletzt_am);
  const age = now.getTime() - Date.parse(times.erstellt_am);
  return idle >= SESSION_IDLE_MS || age >= SESSION_ABSOLUTE_MS;
}

/** A write per request would cost more than the request; the idle limit does not need more than minutes. */
export const isTouchDue = (times: SessionTimes, now: Date): boolean =>
  now.getTime() - Date.parse(times.zuletzt_am) >= MINUTE;

/** The only package that can be had without booking it. */
export const FREE_PACKAGE = 'frei';

/** A link to set a new password ends this long after it was asked for. */
export const RESET_VALID_MINUTES = 30;

/** A link that confirms an address ends this long after it was sent. */
export const CONFIRMATION_VALID_DAYS = 7;

/**
 * Whether an address may go from its holder to somebody else: from a cancelled Mandant to anybody, from a user who has not proven
 * it to one who has.
 */
export const mayTakeAddress = (
  holder: { gekuendigt: boolean; bestaetigt: boolean },
  proven: boolean,
): boolean => holder.gekuendigt || (proven && !holder.bestaetigt);
