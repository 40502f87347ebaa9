/** Names and limits of an export. */

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

/** What an event takes up in an archive, compressed, roughly; free data on top of it are known when they are written. */
const BYTES_PER_EVENT = 200;
export const expectedBytes = (events: number): number => events * BYTES_PER_EVENT;
