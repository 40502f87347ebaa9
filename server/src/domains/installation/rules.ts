/** What a licence gives, given what is known of the revocation list and of the time. */
import type { VerifiedLicence } from './licence.ts';
import type { Sperrliste } from './list.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An installation goes on for so long without reaching the list. */
const GRACE_DAYS = 14;
/** A list may be so far ahead of our clock. */
const SKEW_MS = DAY_MS;

/** Why an attempt did not reach the list. */
export type Hindernis =
  | 'nicht_erreichbar'
  | 'keine_liste'
  | 'signatur_falsch'
  | 'aelter'
  | 'widerspruch'
  | 'abgelaufen'
  | 'zukunft';

export type Lizenzstatus = 'gültig' | 'abgelaufen' | 'gesperrt' | 'ungeprüft';

/** What this installation remembers; instants as ISO 8601. */
export interface Gemerkt {
  /** Since when the licence is in use here. */
  seit: string;
  /** The latest time that was seen with it. */
  zuletzt_am: string;
  erreicht_am: string | null;
  versucht_am: string | null;
  hindernis: Hindernis | null;
}

/** What the clock says, but never less than it has said: turning it back does not help. */
export const effectiveNow = (clock: Date, zuletzt_am: string | null): Date =>
  new Date(Math.max(clock.getTime(), zuletzt_am === null ? 0 : Date.parse(zuletzt_am)));

/** When the list was last reached, or, before it ever was, since when it could have been. */
const lastSure = ({ erreicht_am, seit }: Gemerkt): number => Date.parse(erreicht_am ?? seit);

/** Until when the licence gives its package without the list being reached. */
export const graceEnd = (gemerkt: Gemerkt): Date => new Date(lastSure(gemerkt) + GRACE_DAYS * DAY_MS);

/** Since when the list is not reached; null while it is. Nobody asks for a day only where nothing does that any more. */
export function unreachedSince(gemerkt: Gemerkt, now: Date): string | null {
  const silent = now.getTime() - lastSure(gemerkt) > DAY_MS;
  return gemerkt.hindernis !== null || silent ? new Date(lastSure(gemerkt)).toISOString() : null;
}

/** How the licence stands; only `gültig` gives its package. */
export function statusOf(
  { gueltig_bis }: Pick<VerifiedLicence, 'gueltig_bis'>,
  gesperrt: boolean,
  gemerkt: Gemerkt,
  clock: Date,
): Lizenzstatus {
  const now = effectiveNow(clock, gemerkt.zuletzt_am);
  if (gesperrt) return 'gesperrt';
  if (gueltig_bis !== null && Date.parse(gueltig_bis) <= now.getTime()) return 'abgelaufen';
  return graceEnd(gemerkt) <= now ? 'ungeprüft' : 'gültig';
}

/** Whether the list names the licence. */
export const names = (
  sperren: Sperrliste['sperren'],
  { lizenz_id, fingerabdruck }: Pick<VerifiedLicence, 'lizenz_id' | 'fingerabdruck'>,
): boolean => sperren.some((each) => each.lizenz_id === lizenz_id || each.fingerabdruck === fingerabdruck);

/** Of the list that is known, what the next one is held against. */
export type Known = Pick<Sperrliste, 'nummer' | 'sperren'>;

const sameEntries = (one: Sperrliste['sperren'], other: Sperrliste['sperren']): boolean => {
  const textOf = (sperren: Sperrliste['sperren']) =>
    JSON.stringify(
      sperren.map(({ lizenz_id, fingerabdruck, gesperrt_am }) => [lizenz_id, fingerabdruck, gesperrt_am]),
    );
  return textOf(one) === textOf(other);
};

/** Why a list with a right signature is not taken all the same; null when it is. */
export function objectionTo(liste: Sperrliste, known: Known | null, now: Date): Hindernis | null {
  if (known && liste.nummer < known.nummer) return 'aelter';
  if (known && liste.nummer === known.nummer && !sameEntries(liste.sperren, known.sperren))
    return 'widerspruch';
  // A server that only ever repeats an old one does not keep a blocked licence alive.
  if (Date.parse(liste.gueltig_bis) <= now.getTime()) return 'abgelaufen';
  return Date.parse(liste.ausgestellt_am) > now.getTime() + SKEW_MS ? 'zukunft' : null;
}

/** How long a list need not be asked for again, given what its server says (`max-age`, seconds): a day at most. */
export const freshFor = (cacheControl: string | null): number => {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})(?=$|[\s,])/i.exec(cacheControl ?? '') ?? [];
  return Math.min(Number(seconds ?? 0) * 1_000, DAY_MS);
};
