/** What a report says, in German and English. */
import type { Language, Sentence } from '#kernel/sentence.ts';
import type { Part, Report } from '../rules.ts';

type Merkmal = Report['aenderungen'][number]['merkmal'];
type Ursache = NonNullable<Report['zwilling']>['ursachen'][number]['ursache'];

const s = (de: string, en: string): Sentence => ({ de, en });

export const WORDS = {
  titel: s('Wochenbericht', 'Weekly report'),
  woche: s('Kalenderwoche', 'for week'),
  kosten: s('Kosten der Woche', 'Cost of the week'),
  keineAufrufe: s('In dieser Woche gab es keine Aufrufe.', 'There were no calls in this week.'),
  unveraendert: s('unverändert', 'unchanged'),
  vorwoche: s('Vorwoche', 'Week before'),
  ersteWoche: s(
    'Es ist die erste Woche mit Aufrufen: Es gibt nichts, womit sie sich vergleichen ließe.',
    'It is the first week with calls: there is nothing to compare it with.',
  ),
  aufrufe: s('Aufrufe', 'Calls'),
  fehler: s('Fehlgeschlagene Aufrufe', 'Failed calls'),
  verlauf: s('Tag für Tag', 'Day by day'),
  agenten: s('Was am meisten gekostet hat', 'What cost most'),
  teuerste: s('Agenten mit den höchsten Kosten', 'Agents with the highest cost'),
  uebrige: s('alle übrigen Agenten', 'all other agents'),
  aenderungen: s('Was sich geändert hat', 'What changed'),
  keineAenderung: s(
    'Nichts hat sich gegenüber der Vorwoche geändert.',
    'Nothing changed against the week before.',
  ),
  verbrannt: s('Was verbrannt wurde', 'What was burnt'),
  verbranntes: s('Verbranntes Geld', 'Burnt money'),
  verbranntMeint: s(
    'Kosten fehlgeschlagener Aufrufe und nachgewiesener Wiederholungen; in den Kosten der Woche enthalten.',
    'Cost of failed calls and proven repeats; part of the cost of the week.',
  ),
  gespart: s('Gespart und vermeidbar', 'Saved and avoidable'),
  vermieden: s('Durch Eingriffe vermieden (geschätzt)', 'Avoided by interventions (estimated)'),
  keineStopps: s(
    'In dieser Woche wurde kein Lauf so angehalten, dass sich eine Ersparnis schätzen ließe.',
    'No run was stopped in this week in a way that a saving could be estimated by.',
  ),
  zwilling: s('Vermeidbar gewesen (Zwilling, geschätzt)', 'Avoidable (twin, estimated)'),
  zwillingMeint: s(
    'So viel weniger hätte die Woche mit scharfen Regeln und günstigeren Entscheidungen gekostet.',
    'The week would have cost this much less with all rules in force and with cheaper choices.',
  ),
  zwillingLeer: s(
    'Keine Regel sucht danach; darüber ist nichts bekannt.',
    'No rule looks for it; nothing is known about it.',
  ),
  befunde: s('Die wichtigsten Befunde', 'Findings that matter most'),
  keineBefunde: s('In dieser Woche wurde nichts gefunden.', 'Nothing was found in this week.'),
  budgets: s('Budgets', 'Budgets'),
  keineBudgets: s('Es gibt keine Budgets.', 'There are no budgets.'),
  ueberschritten: s('überschritten', 'exceeded'),
  ohnePreis: s('Aufrufe ohne bekannten Preis', 'Calls without a known price'),
  ohnePreisMeint: s(
    'Ihre Kosten sind unbekannt und in keiner Summe enthalten.',
    'Their cost is unknown and part of no sum.',
  ),
  vorlaeufig: s(
    'Vorläufig: Die Woche ist noch nicht zu Ende oder noch nicht ganz gezählt.',
    'Preliminary: the week is not over, or not all of it is counted.',
  ),
  ohneModell: s('ohne Angabe eines Modells', 'no model named'),
  ohneEndkunde: s('ohne Endkunde', 'no end customer'),
  ezb: s('Tageskursen der EZB', 'daily rates of the ECB'),
  ersatz: s('einem Ersatzkurs', 'a substitute rate'),
  neu: s('neu', 'new'),
  mehrAufschluesselung: s('Im Cockpit aufschlüsseln', 'Break down in the cockpit'),
  mehrBefunde: s('Alle Befunde im Cockpit', 'All findings in the cockpit'),
  mehrBudgets: s('Alle Budgets im Cockpit', 'All budgets in the cockpit'),
  mehrZwilling: s('Zwilling im Cockpit', 'Twin in the cockpit'),
  mehrPreise: s('Preise im Cockpit', 'Prices in the cockpit'),
} as const satisfies Record<string, Sentence>;

export const MERKMALE: Record<Merkmal, { alle: Sentence; neu: Sentence; leer: Sentence }> = {
  agent: {
    alle: s('Agenten', 'Agents'),
    neu: s('Neue Agenten', 'New agents'),
    leer: s('ohne Agent', 'no agent'),
  },
  modell: { alle: s('Modelle', 'Models'), neu: s('Neue Modelle', 'New models'), leer: WORDS.ohneModell },
  endkunde: {
    alle: s('Endkunden', 'End customers'),
    neu: s('Neue Endkunden', 'New end customers'),
    leer: WORDS.ohneEndkunde,
  },
};

export const URSACHEN_WORTE: Record<Ursache, Sentence> = {
  wiederholungen: s('Wiederholungen in Schleifen', 'Repeats in loops'),
  angehalten: s('Aufrufe nach einem Stopp', 'Calls after a stop'),
  fehlversuche: s('Fehlversuche in Folge', 'Failed attempts in a row'),
  cache: s('Ungenutzter Cache', 'Cache not used'),
  modell: s('Zu große Modelle', 'Models too large'),
};

export const TEILE: Record<Part, Sentence> = {
  befunde: s('Befunde', 'findings'),
  budgets: s('Budgets', 'budgets'),
  zwilling: s('Zwilling', 'twin'),
};

/** Sentences that hold figures or names. */
export const SENTENCES = {
  de: {
    ausgelassen: (teile: string) => `Ihre Rolle darf nicht alles lesen. Ausgelassen: ${teile}.`,
    statt: (jetzt: string, vorher: string) => `${jetzt} statt ${vorher}`,
    mittel: (wochen: number) => (wochen === 1 ? 'Eine Woche davor' : `Mittel der ${wochen} Wochen davor`),
    anteil: (anteil: string) => `${anteil} der Kosten der Woche`,
    weitere: (zahl: string) => `${zahl} weitere`,
    ohnePreis: (teil: string, alle: string) => `${teil} von ${alle} Aufrufen.`,
    fehlen: (zahl: string, eins: boolean) =>
      eins
        ? 'Ein Aufruf ohne bekannten Preis ist darin nicht enthalten.'
        : `${zahl} Aufrufe ohne bekannten Preis sind darin nicht enthalten.`,
    aufrufe: (zahl: string, eins: boolean) => (eins ? 'ein Aufruf' : `${zahl} Aufrufe`),
    stopps: (alle: string, eins: boolean, bekannt: string) =>
      `${eins ? 'Ein Lauf wurde angehalten' : `${alle} Läufe wurden angehalten`}; geschätzt nach ähnlichen Fällen, die niemand anhielt, bei ${bekannt} davon.`,
    stoppsUnbekannt: (alle: string, eins: boolean) =>
      `${eins ? 'Ein Lauf wurde angehalten' : `${alle} Läufe wurden angehalten`}; zu wenige ähnliche Fälle für eine Schätzung.`,
    befunde: (alle: string, gezeigt: number) => `${alle} Befunde, hier die ${gezeigt} wichtigsten.`,
    budgetStand: (monat: string, stand: string) => `${monat}, Stand ${stand}`,
    budget: (verbraucht: string, budget: string) => `${verbraucht} von ${budget}`,
    prognose: (betrag: string) => `Prognose zum Monatsende ${betrag}`,
    vonBudgets: (zahl: string, alle: string) => `${zahl} von ${alle} Budgets überschritten.`,
    kurse: (quellen: string) => `Aus US-Dollar umgerechnet zu ${quellen}.`,
    stand: (zeit: string) => `Erstellt am ${zeit}.`,
    zeitzone: (zone: string) => `Tage und Wochen in der Zeitzone ${zone}.`,
  },
  en: {
    ausgelassen: (teile: string) => `Your role may not read everything. Left out: ${teile}.`,
    statt: (jetzt: string, vorher: string) => `${jetzt} instead of ${vorher}`,
    mittel: (wochen: number) => (wochen === 1 ? 'One week before' : `Mean of the ${wochen} weeks before`),
    anteil: (anteil: string) => `${anteil} of the cost of the week`,
    weitere: (zahl: string) => `${zahl} more`,
    ohnePreis: (teil: string, alle: string) => `${teil} of ${alle} calls.`,
    fehlen: (zahl: string, eins: boolean) =>
      eins
        ? 'One call without a known price is not part of it.'
        : `${zahl} calls without a known price are not part of it.`,
    aufrufe: (zahl: string, eins: boolean) => (eins ? 'one call' : `${zahl} calls`),
    stopps: (alle: string, eins: boolean, bekannt: string) =>
      `${eins ? 'One run was stopped' : `${alle} runs were stopped`}; estimated by alike cases that nobody stopped, for ${bekannt} of them.`,
    stoppsUnbekannt: (alle: string, eins: boolean) =>
      `${eins ? 'One run was stopped' : `${alle} runs were stopped`}; too few alike cases to estimate by.`,
    befunde: (alle: string, gezeigt: number) => `${alle} findings, here the ${gezeigt} that matter most.`,
    budgetStand: (monat: string, stand: string) => `${monat}, as of ${stand}`,
    budget: (verbraucht: string, budget: string) => `${verbraucht} of ${budget}`,
    prognose: (betrag: string) => `forecast for the end of the month ${betrag}`,
    vonBudgets: (zahl: string, alle: string) => `${zahl} of ${alle} budgets exceeded.`,
    kurse: (quellen: string) => `Converted from US dollars at ${quellen}.`,
    stand: (zeit: string) => `Made on ${zeit}.`,
    zeitzone: (zone: string) => `Days and weeks in the time zone ${zone}.`,
  },
} as const satisfies Record<Language, object>;
