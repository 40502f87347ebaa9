/** Every column that is exported, with what it means: SQL, CSV and the archive's description are made of this. */

import type { CsvKind } from '#platform/csv.ts';

interface Spalte {
  kind: CsvKind;
  /** For people, German. */
  bedeutung: string;
  /** How it is read, when not as the column of its name. */
  sql?: string;
}

const text = (bedeutung: string, sql?: string): Spalte => ({
  kind: 'text',
  bedeutung,
  ...(sql ? { sql } : {}),
});
const wert = (bedeutung: string, sql?: string): Spalte => ({
  kind: 'value',
  bedeutung,
  ...(sql ? { sql } : {}),
});
const betrag = (bedeutung: string): Spalte => ({ kind: 'amount', bedeutung });

const ACCOUNT = {
  benutzer_id: wert('Kennung des Benutzers'),
  email: text('E-Mail-Adresse'),
  name: text('Name'),
  rolle: wert('inhaber, verwalter, bearbeiter, buchhaltung oder betrachter'),
  aktiv: wert('ob der Benutzer sich anmelden kann'),
  passwort_gesetzt: wert('ob der Benutzer ein Passwort hat', 'passwort_hash IS NOT NULL'),
  zweiter_faktor: wert(
    'ob bei der Anmeldung ein Code verlangt wird',
    `EXISTS (SELECT FROM zweite_faktoren f WHERE f.mandant_id = benutzer.mandant_id
       AND f.benutzer_id = benutzer.benutzer_id AND f.bestaetigt_am IS NOT NULL)`,
  ),
  einladung_id: wert('Kennung der Einladung'),
  eingeladen_von: text('wer eingeladen hat'),
  gueltig_bis: wert('bis wann die Einladung gilt'),
  schluessel_id: wert('Kennung des API-Schlüssels'),
  anzeige: wert('sichtbarer Teil des API-Schlüssels', `anfang || '…' || letzte_vier`),
  bereiche: wert('was der API-Schlüssel darf: Senden, Lesen'),
  gesperrt_am: wert('seit wann der API-Schlüssel gesperrt ist'),
  zuletzt_benutzt_am: wert('wann der API-Schlüssel zuletzt benutzt wurde'),
  erstellt_am: wert('wann der Eintrag angelegt wurde'),
  domain: text('E-Mail-Domain der Anmeldung mit Firmenkonto'),
  nachweis: text('Inhalt des TXT-Eintrags, der die Domain beweist'),
  bewiesen_am: wert('seit wann die Domain bewiesen ist'),
  issuer: text('Anbieter der Anmeldung mit Firmenkonto'),
  subject: text('Kennung des Benutzers beim Anbieter'),
  ereignis: text('Kennung der Meldung beim Zahlungsanbieter'),
  art: text('Art der Meldung des Zahlungsanbieters'),
} satisfies Record<string, Spalte>;

const LOG = {
  eintrag_id: wert('Kennung des Eintrags'),
  akteur_art: wert('wer geändert hat: benutzer, system oder betreiber'),
  akteur_id: wert('Kennung des Benutzers, der geändert hat'),
  akteur_name: text('seine E-Mail-Adresse zu dieser Zeit'),
  aktion: wert('was getan wurde'),
  objekt_art: wert('woran: die Art'),
  objekt_id: text('woran: die Kennung'),
  objekt_name: text('woran: der Name'),
  vorher: wert('geänderte Felder vor der Änderung'),
  nachher: wert('geänderte Felder nach der Änderung'),
  adresse: wert('Netzadresse der Anfrage'),
} satisfies Record<string, Spalte>;

const EVENT = {
  ereignis_id: wert('Kennung des Ereignisses'),
  zeitpunkt: wert('wann es geschah'),
  empfangen_am: wert('wann es beim Dienst ankam'),
  agent: text('Schlüssel des Agenten'),
  projekt: text('Schlüssel des Projekts'),
  endkunde_ref: text('Referenz des Endkunden; im Verbrauch leer, wenn es keinen gibt'),
  anbieter: text('Anbieter des Modells; im Verbrauch leer, wenn unbekannt'),
  modell: text('Modell; im Verbrauch leer, wenn unbekannt'),
  lauf_id: wert('Kennung des Laufs'),
  schritt_nr: wert('Nummer des Schritts im Lauf'),
  eltern_span: wert('Kennung des übergeordneten Schritts'),
  eingabe_token: wert('Eingabe-Token, wie der Anbieter sie zählt'),
  ausgabe_token: wert('Ausgabe-Token, wie der Anbieter sie zählt'),
  cache_lese_token: wert('aus dem Cache gelesene Token'),
  cache_schreib_token: wert('in den Cache geschriebene Token'),
  denk_token: wert('Token des Nachdenkens'),
  eingabe_ohne_cache: wert('Eingabe-Token ohne Cache, die bepreist werden'),
  ausgabe_gesamt: wert('Ausgabe-Token einschließlich Nachdenken, die bepreist werden'),
  werkzeugaufrufe: wert('Aufrufe von Werkzeugen'),
  latenz_ms: wert('Dauer in Millisekunden'),
  erste_zeichen_ms: wert('Zeit bis zum ersten Zeichen in Millisekunden'),
  status: text('erfolgreich oder was sonst gemeldet wurde; beim Lauf der letzte'),
  fehlercode: text('Fehlercode'),
  geschaetzt: wert('ob die Token geschätzt sind; im Verbrauch: Zahl solcher Aufrufe'),
  prompt_fingerabdruck: wert('Fingerabdruck des Prompts, hexadezimal', `encode(prompt_fingerabdruck, 'hex')`),
  werkzeug_fingerabdruck: wert(
    'Fingerabdruck der Werkzeuge, hexadezimal',
    `encode(werkzeug_fingerabdruck, 'hex')`,
  ),
  funktion_ref: text('Referenz der Funktion'),
  benutzer_ref: text('Referenz des Endbenutzers'),
  quelle: text('woher das Ereignis kam'),
  zusatz: wert('freie Angaben des Senders'),
  preis_quelle: text('Preisliste und Eintrag; leer, wenn kein Preis bekannt ist'),
} satisfies Record<string, Spalte>;

const FIGURES = {
  kosten_usd: betrag('Kosten in US-Dollar; leer, wenn kein Preis bekannt ist'),
  kosten_eur: betrag('Kosten in Euro, genau kosten_usd mal kurs_usd_eur; leer, wenn kein Preis bekannt ist'),
  kurs_usd_eur: betrag('Euro für einen US-Dollar'),
  geschaetzt_eur: betrag('Teil von kosten_eur, der auf geschätzten Token beruht'),
  verbranntes_geld_eur: betrag('Teil von kosten_eur, der auf nicht erfolgreichen Aufrufen beruht'),
  aufrufe: wert('Zahl der Aufrufe'),
  fehler: wert('davon nicht erfolgreich'),
  unbepreist: wert('davon ohne bekannten Preis'),
  tag: wert('Tag der Ortszeit (JJJJ-MM-TT)'),
  stunde: wert('Beginn der Stunde der Ortszeit'),
  beginn: wert('erster Aufruf des Laufs'),
  ende: wert('letzter Aufruf des Laufs'),
  letzter_schritt: wert('Nummer des letzten Schritts'),
} satisfies Record<string, Spalte>;

const CATALOG = {
  agent_id: wert('Kennung des Agenten'),
  schluessel: text('Schlüssel, unter dem Ereignisse den Agenten oder das Projekt nennen'),
  projekt_fest: wert('ob ein Mensch das Projekt gewählt hat'),
  budget_eur: betrag('Budget in Euro'),
  eingriffsstufe: text('Stufe des Eingriffs'),
  ruhezeit: text('Ruhezeit'),
  projekt_id: wert('Kennung des Projekts'),
  endkunde_id: wert('Kennung des Endkunden'),
  referenz: text('Referenz, unter der Ereignisse den Endkunden nennen'),
} satisfies Record<string, Spalte>;

const SPALTEN = { ...ACCOUNT, ...LOG, ...EVENT, ...FIGURES, ...CATALOG };

export type Spaltenname = keyof typeof SPALTEN;

export const kindOf = (name: Spaltenname): CsvKind => SPALTEN[name].kind;
export const bedeutungOf = (name: Spaltenname): string => SPALTEN[name].bedeutung;

/** The columns as a SELECT list: amounts as exact decimal text without trailing zeros. */
export const selectOf = (names: readonly Spaltenname[]): string =>
  names
    .map((name) => {
      const { kind, sql = kind === 'amount' ? `trim_scale(${name})::text` : name }: Spalte = SPALTEN[name];
      return sql === name ? name : `${sql} AS ${name}`;
    })
    .join(', ');
