/** Which edition holds. It follows from the editions alone, so that every process comes to the same. */

/** What is known of an edition beside its data. */
export interface Edition {
  nummer: number;
  name: string;
  sha256: string;
  /** The day it is of. */
  stand: string;
  herkunft: 'paket' | 'netz' | 'datei';
  aufgenommen_am: string;
  /** When it was last still the one that its source had. */
  bestaetigt_am: string;
  modelle: number;
  angeheftet: boolean;
  /** Why it is not taken without asking; null: it is. */
  abgelehnt: string | null;
  gemeldet_am: string | null;
}

const at = (instant: string) => Date.parse(instant);

/** What decides which one holds. */
type Candidate = Pick<Edition, 'nummer' | 'bestaetigt_am' | 'angeheftet' | 'abgelehnt'>;

/** Those that may hold, the newest first: what the source said last comes before what was put in last. */
export const byAge = <E extends Candidate>(editions: readonly E[]): E[] =>
  editions
    .filter(({ abgelehnt }) => abgelehnt === null)
    .sort((a, b) => at(b.bestaetigt_am) - at(a.bestaetigt_am) || b.nummer - a.nummer);

/** The one that holds: the pinned one, else the newest; null when there is none. */
export const inForceOf = <E extends Candidate>(editions: readonly E[]): E | null =>
  editions.find(({ angeheftet }) => angeheftet) ?? byAge(editions)[0] ?? null;

/** Beyond that many days a list is old: models come every few weeks. */
export const OLD_DAYS = 30;

const DAY_MS = 86_400_000;

/** Days since the list was the newest, as far as anybody knows; not below 0. */
export const ageInDays = ({ bestaetigt_am }: Pick<Edition, 'bestaetigt_am'>, now: Date): number =>
  Math.max(0, (now.getTime() - at(bestaetigt_am)) / DAY_MS);

export const isOld = (edition: Pick<Edition, 'bestaetigt_am'>, now: Date): boolean =>
  ageInDays(edition, now) > OLD_DAYS;
