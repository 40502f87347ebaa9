/** What the state of a part means for who uses the service; nothing of how it is made. */
import type { Sentence } from '#kernel/sentence.ts';
import type { Part } from './rules.ts';

const UNKNOWN: Sentence = {
  de: 'Der Zustand ließ sich gerade nicht feststellen.',
  en: 'The state could not be determined just now.',
};

const MEANINGS: Record<Part['name'], Partial<Record<Part['status'], Sentence>>> = {
  datenbank: {
    gestört: {
      de: 'Die Datenbank antwortet nicht: Abrufe werden abgewiesen, Ereignisse müssen erneut gesendet werden.',
      en: 'The database does not answer: queries are refused, events have to be sent again.',
    },
  },
  annahme: {
    eingeschränkt: {
      de: 'In der letzten Minute wurde eine Lieferung von Ereignissen abgewiesen; sie kann erneut gesendet werden.',
      en: 'A delivery of events was refused within the last minute; it can be sent again.',
    },
    gestört: {
      de: 'Ereignisse werden gerade nicht angenommen und müssen erneut gesendet werden; was angenommen war, bleibt.',
      en: 'Events are not accepted at the moment and have to be sent again; what was accepted stays.',
    },
  },
  zaehlung: {
    eingeschränkt: {
      de: 'Das Zählen hinkt hinterher, oder ein Teil der Ereignisse ließ sich nicht zählen: Zahlen können unvollständig sein.',
      en: 'Counting is behind, or some events could not be counted: figures may be incomplete.',
    },
  },
  auftraege: {
    eingeschränkt: {
      de: 'Aufgaben im Hintergrund verspäten sich, oder einzelne wurden aufgegeben: Alarme und Auswertungen können fehlen oder später kommen.',
      en: 'Background tasks are late, or some were given up: alarms and reports may be missing or come later.',
    },
    gestört: {
      de: 'Aufgaben im Hintergrund werden seit mehr als einer Stunde nicht erledigt: Alarme und Auswertungen bleiben aus.',
      en: 'Background tasks have not been done for more than an hour: no alarms and reports come.',
    },
  },
  budgetpruefung: {
    eingeschränkt: {
      de: 'Die letzte Prüfung der Budgets ist älter, als sie sein darf: Überschreitungen werden später bemerkt.',
      en: 'The last check of the budgets is older than it may be: what exceeds them is noticed later.',
    },
    gestört: {
      de: 'Budgets wurden seit mehr als einer Stunde nicht geprüft: Überschreitungen bleiben unbemerkt.',
      en: 'Budgets have not been checked for more than an hour: what exceeds them goes unnoticed.',
    },
  },
  mail: {
    eingeschränkt: {
      de: 'Einzelne E-Mails ließen sich noch nicht zustellen; es wird weiter versucht.',
      en: 'Some mails could not be delivered yet; they are tried again.',
    },
    gestört: {
      de: 'Mehrere E-Mails lassen sich nicht zustellen; es wird weiter versucht.',
      en: 'Several mails cannot be delivered; they are tried again.',
    },
    nicht_eingerichtet: {
      de: 'Der Versand von E-Mails ist nicht eingerichtet.',
      en: 'Sending of mail is not set up.',
    },
  },
  kurse: {
    eingeschränkt: {
      de: 'Die Referenzkurse sind nicht aktuell: Umgerechnet wird mit dem letzten bekannten oder dem Ersatzkurs.',
      en: 'The reference rates are not current: amounts are converted at the last known or the substitute rate.',
    },
  },
  preise: {
    eingeschränkt: {
      de: 'Die Preisliste ist mehr als 30 Tage alt: Neue Modelle können ohne Preis sein.',
      en: 'The price list is more than 30 days old: new models may have no price.',
    },
  },
  sicherung: {
    eingeschränkt: {
      de: 'Die letzte Sicherung der Daten ist älter, als sie sein soll, oder misslang, oder das Archiv für Wiederherstellungspunkte ist nicht vollständig; der Dienst selbst läuft davon unberührt.',
      en: 'The last backup of the data is older than it should be, or failed, or the archive of restore points is not complete; the service itself runs unaffected.',
    },
    gestört: {
      de: 'Seit mehr als einer Woche gibt es keine Sicherung der Daten; der Dienst selbst läuft davon unberührt.',
      en: 'There has been no backup of the data for more than a week; the service itself runs unaffected.',
    },
  },
  speicherplatz: {
    eingeschränkt: {
      de: 'Der Speicherplatz wird knapp; noch wird alles angenommen.',
      en: 'Disk space is running low; everything is still accepted.',
    },
    gestört: {
      de: 'Der Speicherplatz ist erschöpft: Ereignisse werden abgewiesen, bis wieder Platz ist.',
      en: 'The disk is full: events are refused until there is room again.',
    },
  },
  uhr: {
    eingeschränkt: {
      de: 'Eine Uhr des Dienstes geht falsch oder ist gesprungen: Zeitangaben der letzten Minuten können abweichen.',
      en: 'A clock of the service is wrong or has jumped: times of the last minutes may be off.',
    },
  },
};

/** Null while the part is well. */
export function meaningOf({ name, status }: Pick<Part, 'name' | 'status'>): Sentence | null {
  if (status === 'ok') return null;
  return MEANINGS[name][status] ?? UNKNOWN;
}
