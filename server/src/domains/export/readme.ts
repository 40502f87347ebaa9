/** The German description that lies in every export. */

import { type ColumnName, meaningOf } from './columns.ts';
import { EXCERPTS, LISTS } from './lists.ts';
import type { Days } from './rules.ts';

export interface About {
  firma: string;
  /** IANA name. */
  zone: string;
  days: Days;
  /** When the snapshot was taken. */
  takenAt: Temporal.Instant;
}

const WIDTH = 100;

/** Words on lines of limited width, all but the first indented. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

const entry = (name: string, says: string) => `  ${name.padEnd(24)}${wrapped(says, ' '.repeat(26))}`;
const paragraph = (text: string) => wrapped(text, '');

const JSON_FILES = [
  entry('mandant.json', 'das Konto mit seinen Einstellungen; ein Objekt'),
  ...LISTS.map(({ name, title, columns }) => entry(`${name}.json`, `${title}: ${columns.join(', ')}`)),
  entry(
    'ungezaehlt.json',
    'angenommene Stapel, die noch nicht (grund leer) oder gar nicht gezählt werden konnten: eingang_id, empfangen_am, schluessel_id, projekt, anzahl, grund, ereignisse wie gesendet; daten_base64 statt ereignisse, wo der Inhalt nicht lesbar ist',
  ),
];

const CSV_FILES = EXCERPTS.map(({ name, title, columns }) =>
  entry(`${name}.csv`, `${title}: ${['tag', ...columns.filter((column) => column !== 'tag')].join(', ')}`),
);

const MEANINGS = [...new Set<ColumnName>([...LISTS, ...EXCERPTS].flatMap(({ columns }) => columns))]
  .sort()
  .map((name) => entry(name, meaningOf(name)));

/** The text of LIESMICH.txt. */
export function readme({ firma, zone, days, takenAt }: About): string {
  return `${[
    `Zählwerk: alle Daten von ${firma}`,
    paragraph(
      `Stand ${takenAt.toString({ smallestUnit: 'second' })} (UTC); alle Dateien sind aus demselben Augenblick. Zeitzone des Kontos: ${zone}.`,
    ),
    'ORDNER json: alles, was gespeichert ist',
    paragraph(
      'Jede Datei ist gültiges JSON in UTF-8. Listen sind ein Feld (Array) mit einem Objekt je Zeile; sehr große Dateien lassen sich deshalb auch Zeile für Zeile lesen (ohne das Komma am Ende der Zeile).',
    ),
    JSON_FILES.join('\n'),
    `ORDNER csv: ${days.first} bis ${days.today} für Tabellenkalkulationen`,
    paragraph(
      'UTF-8 mit Byte Order Mark, Semikolon als Trenner, Komma in Beträgen, Kopfzeile. Texte, die mit = + - @ oder einem Steuerzeichen beginnen, haben ein Hochkomma davor, damit keine Formel aus ihnen wird. Die Spalte tag ist der Tag der Ortszeit, bei Läufen der ihres letzten Aufrufs. Freie Angaben (zusatz) und Fingerabdrücke stehen nur im Ordner json.',
    ),
    CSV_FILES.join('\n'),
    'ZEITEN, ZAHLEN, BETRÄGE',
    paragraph(
      'Zeitpunkte sind ISO 8601 in UTC, Tage (tag) und Stunden (stunde) folgen der Zeitzone des Kontos. Beträge sind genaue Dezimalzahlen, im JSON als Text, nirgends gerundet; Euro, wo _eur am Ende steht, US-Dollar bei _usd. Leer (null) heißt unbekannt.',
    ),
    'WIE DIE SUMMEN ZUSAMMENHÄNGEN',
    paragraph(
      'Jedes gezählte Ereignis steht einmal in ereignisse. verbrauch_stunde und verbrauch_tag sind die Summen dieser Ereignisse je Stunde und Tag: gesamt (dimension gesamt) und für jeden Wert (merkmal) jeder Dimension für sich, so dass die Zeilen einer Dimension zusammen die Summe gesamt ergeben; laeufe sind die Summen je lauf_id. aufrufe ist die Zahl der Ereignisse, kosten_eur die genaue Summe ihrer Kosten; Aufrufe ohne bekannten Preis stehen in unbepreist und in keiner Summe. Was in ungezaehlt steht, ist in keiner anderen Datei enthalten.',
    ),
    'NICHT ENTHALTEN',
    paragraph(
      'Passwörter, API-Schlüssel, zweite Faktoren, Sitzungen, das Geheimnis der Anmeldung mit Firmenkonto und die vollen Adressen der Alarmkanäle. Sie lassen sich nicht ausgeben oder gehören niemandem gezeigt.',
    ),
    'WAS DIE SPALTEN BEDEUTEN',
    MEANINGS.join('\n'),
  ].join('\n\n')}\n`;
}
