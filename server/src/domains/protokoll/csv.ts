/** The audit log as a table for spreadsheets. */
import { Readable } from 'node:stream';
import type { Protokolleintrag, Static } from '#contracts';
import { type CsvColumn, csvOf } from '#platform/csv.ts';

type Eintrag = Static<typeof Protokolleintrag>;

/** `2026-05-01 12:00:00`, as the clock on the wall shows it in the zone. */
const wallClock = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ fractionalSecondDigits: 0 })
    .replace('T', ' ');

const jsonOrNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

const COLUMNS: Record<string, (eintrag: Eintrag, zone: string) => string | null> = {
  Zeitpunkt: ({ zeitpunkt }, zone) => wallClock(zeitpunkt, zone),
  'Zeitpunkt (UTC)': ({ zeitpunkt }) => zeitpunkt,
  Aktion: ({ aktion }) => aktion,
  Wer: ({ akteur }) => akteur.name,
  'Art des Akteurs': ({ akteur }) => akteur.art,
  'Kennung des Akteurs': ({ akteur }) => akteur.id,
  Objekt: ({ objekt }) => objekt.name,
  'Art des Objekts': ({ objekt }) => objekt.art,
  'Kennung des Objekts': ({ objekt }) => objekt.id,
  Vorher: ({ vorher }) => jsonOrNull(vorher),
  Nachher: ({ nachher }) => jsonOrNull(nachher),
  Netzadresse: ({ adresse }) => adresse,
  Eintrag: ({ eintrag_id }) => eintrag_id,
};

/**
 * CSV with one line per entry under German heads. Times stand twice: in the given time zone (IANA name) and as ISO 8601 in
 * UTC. Every column is text.
 */
export function toCsv(eintraege: Eintrag[], zone: string): Readable {
  const columns: CsvColumn<Eintrag>[] = Object.entries(COLUMNS).map(([head, cell]) => ({
    head,
    kind: 'text',
    cell: (eintrag) => cell(eintrag, zone),
  }));
  return Readable.from(csvOf(columns, [eintraege]));
}
