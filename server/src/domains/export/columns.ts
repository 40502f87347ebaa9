/** Every column that is exported, with what it means: SQL, CSV and the archive's description are made of this. */

import { DIMENSION_NAMES, type FigureName } from '#contracts';
import { type ColumnOfEvents, EVENT_COLUMNS, type EventColumn } from '#domains/ereignisse/index.ts';
import type { CsvKind } from '#platform/csv.ts';

interface Column {
  kind: CsvKind;
  /** For people, German. */
  meaning: string;
  /** How it is read from the row `eintrag` of the Mandant $1, when not as the column of its name. */
  sql?: string;
}

const text = (meaning: string, sql?: string): Column => ({
  kind: 'text',
  meaning,
  ...(sql ? { sql } : {}),
});
const value = (meaning: string, sql?: string): Column => ({
  kind: 'value',
  meaning,
  ...(sql ? { sql } : {}),
});
const amount = (meaning: string): Column => ({ kind: 'amount', meaning });

const ACCOUNT = {
  benutzer_id: value('Kennung des Benutzers'),
  email: text('E-Mail-Adresse'),
  name: text('Name'),
  rolle: value('inhaber, verwalter, bearbeiter, buchhaltung oder betrachter'),
  aktiv: value('ob der Benutzer sich anmelden kann'),
  passwort_gesetzt: value('ob der Benutzer ein Passwort hat', 'passwort_hash IS NOT NULL'),
  zweiter_faktor: value(
    'ob bei der Anmeldung ein Code verlangt wird',
    `EXISTS (SELECT FROM zweite_faktoren f WHERE f.mandant_id = $1
       AND f.benutzer_id = eintrag.benutzer_id AND f.bestaetigt_am IS NOT NULL)`,
  ),
  einladung_id: value('Kennung der Einladung'),
  eingeladen_von: text('wer eingeladen hat'),
  gueltig_bis: value('bis wann die Einladung gilt'),
  anzeige: value('sichtbarer Teil des API-Schlüssels', `anfang || '…' || letzte_vier`),
  bereiche: value('was der API-Schlüssel darf: Senden, Lesen'),
  anfragen_je_minute: value('wie viele Anfragen je Minute der API-Schlüssel stellen darf, leer ohne Grenze'),
  ereignisse_je_minute: value(
    'wie viele Ereignisse je Minute der API-Schlüssel melden darf, leer ohne Grenze',
  ),
  gesperrt_am: value('seit wann der API-Schlüssel gesperrt ist'),
  zuletzt_benutzt_am: value('wann der API-Schlüssel zuletzt benutzt wurde'),
  ansicht_id: value('Kennung der Ansicht'),
  pfad: text('Seite des Cockpits, die die Ansicht zeigt'),
  suche: text('was die Ansicht dort zeigt: die Suche der Adresse'),
  erstellt_von: text('Adresse des Benutzers, der den Eintrag angelegt hat'),
  fassung: value('Nummer der Fassung'),
  inhalt: value('was das Preisbuch sagt: eigene Preise, Rabatte, Freigaben'),
  erstellt_am: value('wann der Eintrag angelegt wurde'),
  geaendert_am: value('wann der Eintrag zuletzt geändert wurde'),
  domain: text('E-Mail-Domain der Anmeldung mit Firmenkonto'),
  nachweis: text('Inhalt des TXT-Eintrags, der die Domain beweist'),
  bewiesen_am: value('seit wann die Domain bewiesen ist'),
  issuer: text('Anbieter der Anmeldung mit Firmenkonto'),
  subject: text('Kennung des Benutzers beim Anbieter'),
  ereignis: text('Kennung der Meldung beim Zahlungsanbieter'),
  art: text('Art der Meldung des Zahlungsanbieters'),
} satisfies Record<string, Column>;

const LOG = {
  eintrag_id: value('Kennung des Eintrags'),
  akteur_art: value('wer geändert hat: benutzer, system oder betreiber'),
  akteur_id: value('Kennung des Benutzers, der geändert hat'),
  akteur_name: text('seine E-Mail-Adresse zu dieser Zeit'),
  aktion: value('was getan wurde'),
  objekt_art: value('woran: die Art'),
  objekt_id: text('woran: die Kennung'),
  objekt_name: text('woran: der Name'),
  vorher: value('geänderte Felder vor der Änderung'),
  nachher: value('geänderte Felder nach der Änderung'),
  adresse: value('Netzadresse der Anfrage'),
} satisfies Record<string, Column>;

const PROTECTION = {
  regel_id: value('Kennung der Regel'),
  typ: value('Art der Regel'),
  geltungsbereich: value('wofür die Regel gilt: mandant, projekt, agent, endkunde, funktion oder modell'),
  schwelle: amount('Schwelle der Regel'),
  einheit: value('worin die Schwelle gemessen wird'),
  stufe: value('beobachten, warnen, drosseln, anhalten oder sperren'),
  zeitfenster: value('Zeitraum, den die Regel ansieht'),
  schattenbetrieb: value('ob die Regel nur vermerkt'),
  parameter: value('was an der Regel sonst eingestellt ist'),
  geaendert_am: value('wann der Eintrag zuletzt geändert wurde'),
  befund_id: value('Kennung des Befunds'),
  objekt: text('worum es geht: Kennung, Schlüssel, Referenz oder Name'),
  fenster_beginn: value('womit die Ursache beginnt'),
  schatten: value('ob nur vermerkt wurde'),
  werte: value('die Zahlen hinter dem Befund'),
  verbrannt_eur: amount('verbranntes Geld in EUR'),
  potential_eur: amount('was darüber hinaus zu sparen wäre, in EUR'),
  vorfall_id: value('Kennung des Vorfalls'),
  antrag_id: value('Kennung des Antrags'),
  bezeichnung: value('worum es geht, in Worten'),
  bisher_eur: amount('Grenze, als darum gebeten wurde, in EUR'),
  wunsch_eur: amount('gewünschte Grenze in EUR'),
  gewaehrt_eur: amount('gewährte Grenze in EUR'),
  begruendung: value('warum, in den Worten des Programms'),
  entschieden_am: value('wann ein Mensch entschieden hat'),
  entschieden_von: value('wer entschieden hat'),
  antwort: value('was dieser dazu sagt'),
  alarm_am: value('wann ein Alarm davon erzählt hat'),
  erkannt_am: value('wann der Befund erkannt wurde'),
  befunde: value('Zahl der Befunde'),
  letzter_befund_am: value('wann der letzte Befund kam'),
  massnahme: text('was beim Schließen als Maßnahme vermerkt wurde'),
  geschlossen_am: value('wann der Vorfall geschlossen wurde'),
  geschlossen_von: text('wer ihn geschlossen hat'),
  eingriff_id: value('Kennung des Eingriffs'),
  eingeschaltet_am: value('seit wann der Wochenbericht eingeschaltet ist'),
  import_id: value('Kennung des Imports'),
  datei: text('Name der Datei'),
  groesse: value('Größe der Datei in Byte'),
  dienst: value('von welchem Dienst sie ist'),
  ausgelassen: value('Zeilen, die kein Aufruf sind, je Grund'),
  bekannt: value('wie viele ihrer Aufrufe schon gezählt waren'),
  modelle: value('Aufrufe je Modell'),
  monate: value('Aufrufe je Monat'),
  uebergeben: value('Aufrufe, die zum Zählen übergeben sind'),
  gezaehlt: value('Aufrufe, die das Zählen angesehen hat'),
  angenommen: value('Aufrufe, die neu waren'),
  zurueckgenommen: value('Aufrufe, die zurückgenommen sind'),
  geblieben: value('Aufrufe, die trotz Rücknahme bleiben'),
  zurueckgenommen_am: value('wann die Rücknahme begann'),
  zurueckgenommen_von: text('wer sie begonnen hat'),
  zeilen: value('Zeilen der Datei'),
  neubepreisung_id: value('Kennung der Neubepreisung'),
  von: value('erster Tag der Aufrufe'),
  liste: text('Preisliste, nach der bepreist wird'),
  ereignisse: value('Aufrufe dieser Tage'),
  gelesen: value('wie viele davon angesehen sind'),
  grund: value('warum sie vorzeitig endete'),
  angelegt_am: value('wann sie angelegt wurde'),
  angelegt_von: text('wer sie angelegt hat'),
  angewendet_am: value('wann die Änderung begann'),
  angewendet_von: text('wer sie begonnen hat'),
  beendet_am: value('wann sie endete'),
  zeitzone: text('IANA-Name der Zeitzone, in der Tage gemeint sind'),
  monat: value('erster Tag des Monats der Ortszeit'),
  geaendert: value('Aufrufe, deren Preis sich ändert'),
  alt_usd: amount('ihre bisherigen Kosten in USD'),
  neu_usd: amount('ihre neuen Kosten in USD'),
  differenz_eur: amount('der Unterschied in EUR'),
  grund_de: text('Grund des Eingriffs'),
  veranlasst_von: text('wer von Hand eingegriffen hat'),
  bis: value('bis wann der Eingriff gilt; erster Tag nach den Aufrufen'),
  aufgehoben_am: value('wann er aufgehoben wurde'),
  aufgehoben_von: text('wer ihn aufgehoben hat'),
  missachtet: value('Aufrufe, die trotzdem kamen'),
  abgerufen_am: value('wann ihn zuerst ein Schlüssel bekam, der solche Aufrufe sendet'),
  abgerufen_von: value('Kennung dieses Schlüssels'),
} satisfies Record<string, Column>;

const BILLING = {
  versendung_id: value('Kennung der Versendung'),
  angefordert_am: value('wann der Versand veranlasst wurde'),
  angefordert_von: text('wer ihn veranlasst hat'),
  erledigt_am: value('wann die Mail bereitlag, oder wann der Versand aufgegeben wurde'),
  uebergeben_am: value('wann der Mailserver die Mail nahm'),
  fehlgrund: value('warum der Versand scheiterte'),
  sha256: value('Prüfsumme (SHA-256) der verschickten oder ausgegebenen PDF-Datei'),
  ausgegeben_am: value('wann die Abrechnung zum ersten Mal heruntergeladen oder verschickt wurde'),
  rechnung_id: value('Kennung der Rechnung'),
  betrag: amount('Betrag der Rechnung, netto'),
  verglichen: value('davon mit Preis nach Preisbuch oder Liste verglichen'),
  gemeldet_eur: amount('was die verglichenen Aufrufe als Kosten gemeldet haben, in EUR'),
  preisbuch_eur: amount('was die verglichenen Aufrufe nach dem Preisbuch gekostet haben, in EUR'),
  listenpreis_eur: amount('was sie zum Listenpreis gekostet hätten, in EUR'),
  liste_eur: amount('was sie nach Preisbuch und Liste gekostet hätten, in EUR'),
  waehrung: value('Währung der Rechnung'),
  kurs: amount('EUR für eine Einheit der Währung'),
  rechnungsnummer: text('Nummer der Rechnung'),
  notiz: text('was zur Rechnung notiert ist'),
  erfasst_am: value('wann die Rechnung erfasst wurde'),
  erfasst_von: text('wer sie erfasst hat'),
  kostenstelle: text('Kostenstelle in der Buchhaltung'),
  debitorenkonto: text('eigenes Konto des Endkunden in der Buchhaltung'),
  aufschlag_prozent: amount('Aufschlag in Prozent'),
  gehoert_zu: value('Kennung des Endkunden, mit dem die Referenz zusammengeführt ist'),
  entfernt_am: value('wann der Endkunde entfernt wurde'),
  beraternummer: value('Nummer des Steuerberaters'),
  mandantennummer: value('Nummer, unter der er die Bücher führt'),
  wirtschaftsjahr_beginn: value('Monat, mit dem das Wirtschaftsjahr beginnt'),
  sachkontenlaenge: value('Stellen der Sachkonten'),
  kontenrahmen: value('03 für SKR03, 04 für SKR04'),
  sammelkonto: text('Konto der Endkunden ohne eigenes'),
  erloeskonto: text('Erlöskonto'),
  bu_schluessel: text('Steuerschlüssel'),
  steuersatz_prozent: amount('Umsatzsteuer in Prozent'),
  festschreibung: value('ob Buchungen festgeschrieben kommen'),
  diktatkuerzel: text('Kürzel dessen, der den Stapel erstellt'),
  bezeichnung: text('Name des Stapels'),
  verbranntes_berechnen: value('ob verbranntes Geld berechnet wird'),
  aufschlag_ausweisen: value('ob Abrechnungen den Aufschlag nennen'),
  bezug: text('der Wert davon, für den sie gilt; erster Tag des Monats, in dem die Aufrufe waren'),
  referenz: text('Referenz des Endkunden; leer für Aufrufe ohne einen'),
  abrechenbar_eur: amount('worauf der Aufschlag kommt, in EUR'),
  betrag_eur: amount('was berechnet wurde, in EUR'),
  posten: value(
    'was dahinter steht: nach Agent, nach Modell und nach Tag; für FOCUS nach Tag, Anbieter und Modell zugleich',
  ),
  zuordnung: value('welche Referenzen beim Abschluss für welche andere zählten'),
  buchhaltung: value('Einstellungen der Buchhaltung beim Abschluss'),
  absender: value('wie sich der Absender beim Abschluss zeigte, ohne das Logo'),
  zahler: value('Referenz dessen, der zahlt; leer: die Referenz selbst'),
  anteile: value('was jede Referenz an der Zeile hat, wenn mehrere zusammen zählten'),
  berichtigung: value('Name, Kostenstelle und Konto für die Buchhaltung, nach dem Abschluss berichtigt'),
} satisfies Record<string, Column>;

/** Whose sum a row is. */
const MERKMAL = {
  dimension: value(`wonach summiert ist: gesamt, ${DIMENSION_NAMES.join(', ')}`),
  merkmal: text(
    'der Wert, dessen Summe die Zeile ist: Schlüssel des Agenten, Referenz des Endkunden …; leer für Aufrufe ohne einen und bei gesamt',
  ),
} satisfies Record<string, Column>;

const kindOfEvent = ({ kind }: ColumnOfEvents): CsvKind =>
  kind === 'text' ? 'text' : kind === 'decimal' ? 'amount' : 'value';

const EVENT = Object.fromEntries(
  EVENT_COLUMNS.map((column) => [
    column.name,
    { kind: kindOfEvent(column), meaning: column.bedeutung, sql: column.expression },
  ]),
) as Record<EventColumn, Column>;

const FIGURES = {
  geschaetzt_eur: amount(
    'Teil von kosten_eur, der auf geschätzten Token oder auf nur zum Teil bekannten Preisen beruht',
  ),
  ersatz_eur: amount('Teil von kosten_eur, der zum Ersatzkurs umgerechnet ist'),
  ersatz_aufrufe: value('davon zum Ersatzkurs umgerechnet'),
  ersatz_tag: value('Tag, von dem der Ersatzkurs ist; leer, wenn unbekannt'),
  verbranntes_geld_eur: amount('Teil von kosten_eur, der auf nicht erfolgreichen Aufrufen beruht'),
  aufrufe: value('Zahl der Aufrufe'),
  aufgeteilt: value(
    'Zahl der Aufrufe, deren Token in eingabe_ohne_cache und ausgabe_gesamt stehen: alle, außer solchen, die eine frühere Fassung gezählt hat und die nicht mehr aufbewahrt sind',
  ),
  token: value(
    'alle Token, für jeden Anbieter gleich: eingabe_ohne_cache, cache_lese_token, cache_schreib_token und ausgabe_gesamt; leer, wo nicht alle Aufrufe aufgeteilt sind',
    'CASE WHEN aufgeteilt = aufrufe THEN eingabe_ohne_cache + cache_lese_token + cache_schreib_token + ausgabe_gesamt END',
  ),
  schluessel_token: value('alle Token, für jeden Anbieter gleich, wie token', 'eintrag.token'),
  ohne_lauf: value('davon ohne Lauf'),
  ohne_fingerabdruck: value('davon ohne Fingerabdruck des Prompts'),
  ohne_endkunde: value('davon ohne Endkunden'),
  adresse_als_anbieter: value('davon mit einer Adresse als Anbieter'),
  bibliothek: text('Bibliothek, die von den Aufrufen berichtet hat; leer, wo keine genannt ist'),
  version: text('ihre Fassung'),
  ohne_agent: value('davon ohne Agenten'),
  ohne_cache: value('davon ohne Angabe, was aus dem Cache kam'),
  ohne_token: value('davon ohne Angabe der Token'),
  abo_aufrufe: value('davon die, die ein Abonnement bezahlt'),
  abo_kosten_eur: amount('deren Kosten in Euro zum Listenpreis, in kosten_eur enthalten'),
  letzter_aufruf_am: value('der letzte davon, nach seinem zeitpunkt'),
  fehler: value('davon nicht erfolgreich'),
  unbepreist: value('davon ohne bekannten Preis'),
  tag: value('Tag der Ortszeit (JJJJ-MM-TT)'),
  stunde: value('Beginn der Stunde der Ortszeit'),
  beginn: value('erster Aufruf des Laufs'),
  ende: value('letzter Aufruf des Laufs'),
  letzter_schritt: value('Nummer des letzten Schritts'),
} satisfies Record<string, Column>;

const CATALOG = {
  agent_id: value('Kennung des Agenten'),
  schluessel: text('Schlüssel, unter dem Ereignisse den Agenten oder das Projekt nennen'),
  projekt_fest: value('ob ein Mensch das Projekt gewählt hat'),
  budget_eur: amount('Budget in Euro'),
  budget_bei_erreichen: value('was das Budget selbst tut, wenn es verbraucht ist; leer: warnen'),
  bei_erreichen: value('was das Budget selbst tut, wenn es verbraucht ist: warnen, drosseln oder sperren'),
  eingriffsstufe: text('Stufe des Eingriffs'),
  ruhezeit: text('Ruhezeit'),
  projekt_id: value('Kennung des Projekts'),
  endkunde_id: value('Kennung des Endkunden'),
  referenz: text('Referenz, unter der Ereignisse den Endkunden nennen'),
} satisfies Record<string, Column>;

const ALARMS = {
  alarm_id: value('Kennung des Alarms'),
  alarm_art: value('alarm, entwarnung oder sammlung (mehrere zurückgehaltene in einem)', 'eintrag.art'),
  ursache: text('worum es geht; je Ursache gibt es einen Alarm und eine Entwarnung'),
  stufe: value('Stufe: beobachten, warnen, drosseln, anhalten oder sperren'),
  titel_de: text('Überschrift auf Deutsch'),
  titel_en: text('Überschrift auf Englisch'),
  text_de: text('Text auf Deutsch'),
  text_en: text('Text auf Englisch'),
  pfad: value('Pfad im Cockpit, unter dem mehr dazu steht'),
  gehalten_bis: value('bis wann der Alarm für Menschen zurückgehalten wurde'),
  sammlung_id: value('Sammelmeldung, mit der er dann kam'),
  zustellung_id: value('Kennung der Zustellung'),
  kanal: value('Kanal: email, chatA_webhook, chatB_webhook, push_url oder webhook_url'),
  zustellung_status: value(
    'wartet, zugestellt, aufgegeben oder entfallen (Kanal entfernt)',
    'eintrag.status',
  ),
  versuche: value('Zahl der Versuche'),
  antwort_status: value('HTTP-Status der letzten Antwort'),
  fehler_de: text('warum der letzte Versuch scheiterte, auf Deutsch'),
  fehler_en: text('warum der letzte Versuch scheiterte, auf Englisch'),
  frist: value('bis wann es versucht wird'),
  versucht_am: value('wann es zuletzt versucht wurde'),
  post_art: value('Art der Mail, um die es geht: alarm oder abrechnung', 'eintrag.art'),
  mailadresse: text('Adresse, an die sie geht', 'eintrag.adresse'),
  angefragt_am: value('wann dort zuletzt gefragt wurde'),
  bestaetigt_am: value('wann jemand dort zugestimmt hat'),
  abgemeldet_am: value('seit wann jemand dort keine mehr möchte'),
} satisfies Record<string, Column>;

const COLUMNS = {
  ...ALARMS,
  ...ACCOUNT,
  ...PROTECTION,
  ...BILLING,
  ...LOG,
  ...MERKMAL,
  ...EVENT,
  ...FIGURES,
  ...CATALOG,
};
// Every figure of consumption is among them.
COLUMNS satisfies Record<FigureName, Column>;

export type ColumnName = keyof typeof COLUMNS;

export const kindOf = (name: ColumnName): CsvKind => COLUMNS[name].kind;
export const meaningOf = (name: ColumnName): string => COLUMNS[name].meaning;

/** The columns as a SELECT list: amounts as exact decimal text without trailing zeros. */
export const selectOf = (names: readonly ColumnName[]): string =>
  names
    .map((name) => {
      const { kind, sql = kind === 'amount' ? `trim_scale(eintrag.${name})::text` : name }: Column =
        COLUMNS[name];
      return sql === name ? `eintrag.${name}` : `${sql} AS ${name}`;
    })
    .join(', ');
