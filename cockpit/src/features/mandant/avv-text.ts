/** The data-processing agreement: a template, German only, because one wording must be the binding one. */

import { AVV_FASSUNG } from '#contracts/avv.ts';

/** Named on the page and on paper. A changed text needs a new version. */
export const avvFassung = `Fassung ${AVV_FASSUNG}, November 2026`;

/** Stands on the agreement itself, also on paper. */
export const avvVorbehalt = 'Vorlage, vor der Verwendung anwaltlich zu prüfen.';

export interface AvvSection {
  title: string;
  paragraphs: string[];
}

const NOBODY_YET = 'Das Unternehmen, für das dieses Konto angelegt wird';

const partiesOf = (firma: string | null): AvvSection => ({
  title: 'Vertragsparteien',
  paragraphs: [
    `${firma ?? NOBODY_YET} (Verantwortlicher) und der Betreiber dieser Installation von Zählwerk (Auftragsverarbeiter) schließen diesen Vertrag nach Art. 28 der Datenschutz-Grundverordnung (DSGVO).`,
  ],
});

/** Alike for every company. */
const TERMS: AvvSection[] = [
  {
    title: 'Gegenstand und Dauer',
    paragraphs: [
      'Der Auftragsverarbeiter nimmt Meldungen über Aufrufe von Sprachmodellen entgegen, zählt und bepreist sie und zeigt dem Verantwortlichen die Ergebnisse. Der Vertrag gilt, solange das Konto besteht, und danach, bis alle Daten gelöscht sind.',
    ],
  },
  {
    title: 'Daten und betroffene Personen',
    paragraphs: [
      'Von Benutzern des Kontos: Name, E-Mail-Adresse, Rolle, Anmeldungen mit Netzadresse und Browser, Änderungen im Prüfprotokoll.',
      'Aus den Meldungen: Angaben, die der Verantwortliche selbst sendet, etwa benutzer_ref, endkunde_ref und freie Angaben in zusatz. Texte von Eingaben und Antworten der Modelle gehören nicht in die Meldungen; statt ihrer genügen Fingerabdrücke.',
      'Betroffen sind Beschäftigte des Verantwortlichen und, soweit er solche Angaben sendet, seine Kunden und deren Nutzer.',
    ],
  },
  {
    title: 'Weisungen',
    paragraphs: [
      'Der Auftragsverarbeiter verarbeitet die Daten nur auf dokumentierte Weisung. Weisungen sind dieser Vertrag, die Einstellungen im Konto und Mitteilungen in Textform. Hält er eine Weisung für rechtswidrig, sagt er es unverzüglich.',
    ],
  },
  {
    title: 'Vertraulichkeit',
    paragraphs: [
      'Wer beim Auftragsverarbeiter Zugang zu den Daten hat, ist auf Vertraulichkeit verpflichtet, auch über das Ende der Tätigkeit hinaus.',
    ],
  },
  {
    title: 'Technische und organisatorische Maßnahmen',
    paragraphs: [
      'Die Daten der Mandanten sind in der Anwendung und in der Datenbank voneinander getrennt. Zugang haben nur angemeldete Benutzer mit passender Rolle und Programme mit einem Schlüssel; ein zweiter Faktor steht bereit. Passwörter und Schlüssel sind nur als Prüfwert gespeichert, Geheimnisse verschlüsselt. Änderungen stehen in einem Protokoll, das sich nicht ändern lässt.',
      'Für verschlüsselte Übertragung, Sicherungskopien und die Sicherheit der Server sorgt der Auftragsverarbeiter nach dem Stand der Technik.',
    ],
  },
  {
    title: 'Weitere Auftragsverarbeiter',
    paragraphs: [
      'Der Auftragsverarbeiter nennt auf Anfrage, wer für ihn Server, Mailversand und Zahlungen übernimmt. Vor einem Wechsel informiert er in Textform; der Verantwortliche kann aus wichtigem Grund widersprechen. Weitere Auftragsverarbeiter werden ebenso verpflichtet wie er selbst.',
    ],
  },
  {
    title: 'Unterstützung und Meldung von Verletzungen',
    paragraphs: [
      'Der Auftragsverarbeiter hilft bei Anfragen betroffener Personen, bei Folgenabschätzungen und gegenüber Aufsichtsbehörden. Eine Verletzung des Schutzes der Daten meldet er unverzüglich, mit allem, was der Verantwortliche für seine eigene Meldung braucht.',
    ],
  },
  {
    title: 'Löschung und Rückgabe',
    paragraphs: [
      'Der Verantwortliche kann alle Daten jederzeit selbst ausgeben. Nach einer Kündigung werden sie 30 Tage aufbewahrt und dann gelöscht, auch beim Auftragsverarbeiter; in Sicherungskopien, sobald diese turnusmäßig ersetzt sind. Gesetzliche Aufbewahrungspflichten bleiben.',
    ],
  },
  {
    title: 'Nachweise',
    paragraphs: [
      'Der Auftragsverarbeiter weist die Einhaltung dieses Vertrags auf Anfrage nach und ermöglicht Prüfungen, in der Regel nach Ankündigung und zu den üblichen Zeiten.',
    ],
  },
];

/** The agreement between a company (null: one that has no account yet) and the operator of the installation. */
export const avvSections = (firma: string | null): AvvSection[] => [partiesOf(firma), ...TERMS];
