/** Names and limits of an export. */
import { AppError, unavailable } from '#kernel/errors.ts';

const MAX_SLUG = 60;
const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** A company's name as a part of a file name: lower-case letters, digits and hyphens; may be empty. */
export const slugOf = (firma: string): string =>
  firma
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => UMLAUTS[letter] as string)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-|-$/g, '');

/** The days an export is of, in the time zone of the Mandant. */
export interface Days {
  /** First day of the CSV files, `YYYY-MM-DD`. */
  first: string;
  /** The instant at which that day begins, ISO 8601 in UTC. */
  begins: string;
  /** The day of the export, which is the last one. */
  today: string;
}

/** The last `tage` local days, today included. */
export function lastDays(tage: number, now: Temporal.Instant, zone: string): Days {
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const first = today.subtract({ days: tage - 1 });
  return {
    first: first.toString(),
    begins: first.toZonedDateTime(zone).toInstant().toString(),
    today: today.toString(),
  };
}

export const fileNameOf = (firma: string, today: string): string =>
  `${['zaehlwerk-export', slugOf(firma), today].filter((part) => part !== '').join('-')}.zip`;

const NO_ROOM_RETRY_AFTER = 300;
/** The disk has no room for an archive. */
export const noRoom = () =>
  unavailable(
    'export_kein_platz',
    {
      de: 'Auf dem Datenträger des Dienstes ist gerade nicht genug Platz für dieses Archiv.',
      en: 'The disk of the service has no room for this archive right now.',
    },
    NO_ROOM_RETRY_AFTER,
  );

/** What an event takes up in an archive, compressed, roughly; free data on top of it are known when they are written. */
const BYTES_PER_EVENT = 200;
export const expectedBytes = (events: number): number => events * BYTES_PER_EVENT;

/** Takes a place for an export; throws 429 when there is none. */
export type Places<M> = (mandant: M) => () => void;

const RETRY_AFTER = 30;
const isRunning = () =>
  new AppError(
    'too-many',
    'export_laeuft',
    {
      de: 'Ein Export läuft schon. Bitte warten Sie, bis er fertig ist.',
      en: 'An export is running already. Please wait until it is done.',
    },
    RETRY_AFTER,
  );
const areRunning = () =>
  new AppError(
    'too-many',
    'export_laeuft',
    {
      de: 'Gerade laufen andere Exporte. Bitte versuchen Sie es gleich noch einmal.',
      en: 'Other exports are running right now. Please try again in a moment.',
    },
    RETRY_AFTER,
  );

/** At most `most` at a time in this process, and one for each Mandant. What is returned gives the place back. */
export function createPlaces<M>(most: number): Places<M> {
  const taken = new Set<M>();
  return (mandant) => {
    if (taken.has(mandant)) throw isRunning();
    if (taken.size >= most) throw areRunning();
    taken.add(mandant);
    let held = true;
    return () => {
      // Given back once: after that the place may be another export's.
      if (held) taken.delete(mandant);
      held = false;
    };
  };
}
