/** The German description that lies in every export. */

import { READ_WITH, type Right } from '#contracts';
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
  /** The user who asks for it, and what the role may read. */
  benutzerId: string;
  rolle: string;
  may: (right: Right) => boolean;
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

const entry = (name: string, says: string) => `  ${name.padEnd(32)}${wrapped(says, ' '.repeat(34))}`;
const paragraph = (text: string) => wrapped(text, '');

const jsonFiles = ({ may }: About): string[] => [
  entry('mandant.json', 'das Konto mit seinen Einstellungen; ein Objekt'),
  ...LISTS.filter(({ right }) => may(right)).map(({ name, title, columns }) =>
    entry(`${name}.json`, `${title}: ${columns.join(', ')}`),
  ),
  entry(
    'ungezaehlt.json',
    'angenommene Stapel, die noch nicht (grund leer) oder gar nicht gezählt werden konnten: eingang_id, empfangen_am, schluessel_id, projekt, anzahl, grund, ereignisse wie gesendet; daten_base64 statt ereignisse, wo der Inhalt nicht lesbar ist',
  ),
];

const csvFiles = ({ may }: About): string[] =>
  EXCERPTS.filter(({ right }) => may(right)).map(({ name, title, columns }) =>
    entry(`${name}.csv`, `${title}: ${['tag', ...columns.filter((column) => column !== 'tag')].join(', ')}`),
  );

const meanings = ({ may }: About): string[] => {
  const lists = [...LISTS, ...EXCERPTS].filter(({ right }) => may(right));
  const names = new Set<ColumnName>(lists.flatMap(({ columns }) => columns));
  return [...names].sort().map((name) => entry(name, meaningOf(name)));
};

/** What the role may not read: whole lists, and what is null in mandant.json. */
function leftOut({ rolle, may }: About): string[] {
  const lists = LISTS.filter(({ right }) => !may(right)).map(({ name }) => `${name}.json`);
  const fields = [
    ...(may(READ_WITH.benutzer) ? [] : ['avv_akzeptiert_von']),
    ...(may(READ_WITH.alarme) ? [] : ['alarme', 'alarm_einstellungen']),
    ...(may(READ_WITH.sso) ? [] : ['sso']),
  ];
  if (lists.length + fields.length === 0) return [];
  return [
    'WEGEN DER ROLLE WEGGELASSEN',
    paragraph(
      `Ausgegeben hat diese Datei ein Benutzer der Rolle ${rolle}. Was diese Rolle auch sonst nicht lesen darf, fehlt: ${lists.join(', ')}; in mandant.json sind leer (null): ${fields.join(', ')}. Wer die Rolle inhaber oder verwalter hat, kann alles ausgeben.`,
    ),
  ];
}

/** The text of LIESMICH.txt. */
export function readme(about: About): string {
  const { firma, zone, days, takenAt } = about;
  return `${[
    `Zählwerk: alle Daten von ${firma}`,
    paragraph(
      `Stand ${takenAt.toString({ smallestUnit: 'second' })} (UTC); alle Dateien sind aus demselben Augenblick. Zeitzone des Kontos: ${zone}.`,
    ),
    'ORDNER json: alles, was gespeichert ist',
    paragraph(
      'Jede Datei ist gültiges JSON in UTF-8. Listen sind ein Feld (Array) mit einem Objekt je Zeile; sehr große Dateien lassen sich deshalb auch Zeile für Zeile lesen (ohne das Komma am Ende der Zeile).',
    ),
    jsonFiles(about).join('\n'),
    `ORDNER csv: ${days.first} bis ${days.today} für Tabellenkalkulationen`,
    paragraph(
      'UTF-8 mit Byte Order Mark, Semikolon als Trenner, Komma in Beträgen, Kopfzeile. Texte, die mit = + - @ oder einem Steuerzeichen beginnen, haben ein Hochkomma davor, damit keine Formel aus ihnen wird. Die Spalte tag ist der Tag der Ortszeit, bei Läufen der ihres letzten Aufrufs. Freie Angaben (zusatz) und Fingerabdrücke stehen nur im Ordner json.',
    ),
    csvFiles(about).join('\n'),
    'ZEITEN, ZAHLEN, BETRÄGE',
    paragraph(
      'Zeitpunkte sind ISO 8601 in UTC, Tage (tag) und Stunden (stunde) folgen der Zeitzone des Kontos. Beträge sind genaue Dezimalzahlen, im JSON als Text, nirgends gerundet; Euro, wo _eur am Ende steht, US-Dollar bei _usd. Leer (null) heißt unbekannt.',
    ),
    'WIE DIE SUMMEN ZUSAMMENHÄNGEN',
    paragraph(
      'Jedes gezählte Ereignis steht einmal in ereignisse. verbrauch_stunde und verbrauch_tag sind die Summen dieser Ereignisse je Stunde und Tag: gesamt (dimension gesamt) und für jeden Wert (merkmal) jeder Dimension für sich, so dass die Zeilen einer Dimension zusammen die Summe gesamt ergeben; laeufe sind die Summen je lauf_id. aufrufe ist die Zahl der Ereignisse, kosten_eur die genaue Summe ihrer Kosten; Aufrufe ohne bekannten Preis stehen in unbepreist und in keiner Summe, solche, für die nur ein Teil bekannt ist (teilbepreist), mit diesem Teil. Was in ungezaehlt steht, ist in keiner anderen Datei enthalten.',
    ),
    'NICHT ENTHALTEN',
    paragraph(
      'Passwörter, API-Schlüssel, zweite Faktoren, Sitzungen, das Geheimnis der Anmeldung mit Firmenkonto, das des Alarm-Webhooks und die vollen Adressen der Alarmkanäle. Sie lassen sich nicht ausgeben oder gehören niemandem gezeigt. Ebenso wenig die gespeicherten Ansichten anderer Benutzer: Jeder sieht nur seine eigenen.',
    ),
    ...leftOut(about),
    'WAS DIE SPALTEN BEDEUTEN',
    meanings(about).join('\n'),
  ].join('\n\n')}\n`;
}
