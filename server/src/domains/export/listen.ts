/** The lists of an export: what of which table, in which order. */
import type { Spaltenname } from './spalten.ts';

export interface Liste {
  /** Also its table. */
  name: string;
  /** For people, German. */
  inhalt: string;
  spalten: readonly Spaltenname[];
  /** Columns of the primary key, so that no sorting is needed however long the list is. */
  order: string;
}

const KEY = ['agent', 'projekt', 'endkunde_ref', 'anbieter', 'modell'] as const;
const TOKENS = [
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
] as const;
const CONSUMPTION = [
  'aufrufe',
  'fehler',
  'unbepreist',
  'geschaetzt',
  ...TOKENS,
  'kosten_usd',
  'kosten_eur',
  'geschaetzt_eur',
  'verbranntes_geld_eur',
] as const;

const EVENT = [
  'ereignis_id',
  'zeitpunkt',
  'empfangen_am',
  ...KEY,
  'lauf_id',
  'schritt_nr',
  'eltern_span',
  'status',
  'fehlercode',
  ...TOKENS,
  'eingabe_ohne_cache',
  'ausgabe_gesamt',
  'geschaetzt',
  'werkzeugaufrufe',
  'latenz_ms',
  'erste_zeichen_ms',
  'kosten_eur',
  'kosten_usd',
  'kurs_usd_eur',
  'preis_quelle',
  'funktion_ref',
  'benutzer_ref',
  'quelle',
] as const;

const RUN = [
  'lauf_id',
  'agent',
  'projekt',
  'endkunde_ref',
  'status',
  'beginn',
  'ende',
  'letzter_schritt',
  'aufrufe',
  'fehler',
  'unbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'kosten_eur',
  'kosten_usd',
  'verbranntes_geld_eur',
] as const;

/** As JSON, whole. */
export const LISTEN: readonly Liste[] = [
  {
    name: 'benutzer',
    inhalt: 'Benutzer',
    spalten: [
      'benutzer_id',
      'email',
      'name',
      'rolle',
      'aktiv',
      'passwort_gesetzt',
      'zweiter_faktor',
      'erstellt_am',
    ],
    order: 'benutzer_id',
  },
  {
    name: 'einladungen',
    inhalt: 'offene und abgelaufene Einladungen',
    spalten: ['einladung_id', 'email', 'rolle', 'eingeladen_von', 'erstellt_am', 'gueltig_bis'],
    order: 'einladung_id',
  },
  {
    name: 'schluessel',
    inhalt: 'API-Schlüssel, ohne den geheimen Teil',
    spalten: [
      'schluessel_id',
      'name',
      'anzeige',
      'bereiche',
      'projekt',
      'erstellt_am',
      'gesperrt_am',
      'zuletzt_benutzt_am',
    ],
    order: 'schluessel_id',
  },
  {
    name: 'sso_domains',
    inhalt: 'E-Mail-Domains der Anmeldung mit Firmenkonto',
    spalten: ['domain', 'nachweis', 'bewiesen_am'],
    order: 'domain',
  },
  {
    name: 'sso_identitaeten',
    inhalt: 'welcher Benutzer wer beim Anbieter der Firmenkonten ist',
    spalten: ['issuer', 'subject', 'benutzer_id', 'erstellt_am'],
    order: 'issuer, subject',
  },
  {
    name: 'zahlungsereignisse',
    inhalt: 'Meldungen des Zahlungsanbieters',
    spalten: ['ereignis', 'art', 'empfangen_am'],
    order: 'ereignis',
  },
  {
    name: 'pruefprotokoll',
    inhalt: 'Prüfprotokoll: jede Änderung mit wer, was, vorher, nachher, wann, von wo',
    spalten: [
      'eintrag_id',
      'zeitpunkt',
      'akteur_art',
      'akteur_id',
      'akteur_name',
      'aktion',
      'objekt_art',
      'objekt_id',
      'objekt_name',
      'vorher',
      'nachher',
      'adresse',
    ],
    order: 'eintrag_id',
  },
  {
    name: 'agenten',
    inhalt: 'Agenten',
    spalten: [
      'agent_id',
      'schluessel',
      'name',
      'projekt',
      'projekt_fest',
      'budget_eur',
      'eingriffsstufe',
      'ruhezeit',
      'erstellt_am',
    ],
    order: 'agent_id',
  },
  {
    name: 'projekte',
    inhalt: 'Projekte',
    spalten: ['projekt_id', 'schluessel', 'name', 'erstellt_am'],
    order: 'projekt_id',
  },
  {
    name: 'endkunden',
    inhalt: 'Endkunden',
    spalten: ['endkunde_id', 'referenz', 'name', 'erstellt_am'],
    order: 'endkunde_id',
  },
  {
    name: 'verbrauch_tag',
    inhalt: 'Verbrauch je Tag der Ortszeit',
    spalten: ['tag', ...KEY, ...CONSUMPTION],
    order: `tag, ${KEY.join(', ')}`,
  },
  {
    name: 'verbrauch_stunde',
    inhalt: 'Verbrauch je Stunde der Ortszeit und Kurs',
    spalten: ['stunde', ...KEY, 'kurs_usd_eur', ...CONSUMPTION],
    order: `stunde, ${KEY.join(', ')}, kurs_usd_eur`,
  },
  { name: 'laeufe', inhalt: 'Läufe', spalten: RUN, order: 'lauf_id' },
  {
    name: 'ereignisse',
    inhalt: 'gezählte Ereignisse',
    spalten: [...EVENT, 'prompt_fingerabdruck', 'werkzeug_fingerabdruck', 'zusatz'],
    order: 'zeitpunkt, ereignis_id',
  },
];

/** A list of the last days as CSV. */
export interface Auszug extends Liste {
  /** The column that says when; rows from the first day on. */
  von: 'zeitpunkt' | 'ende' | 'tag';
}

/** As CSV, of the last days. Text of unlimited length is in JSON only. */
export const AUSZUEGE: readonly Auszug[] = [
  {
    name: 'ereignisse',
    inhalt: 'gezählte Ereignisse',
    spalten: EVENT,
    order: 'zeitpunkt, ereignis_id',
    von: 'zeitpunkt',
  },
  {
    name: 'laeufe',
    inhalt: 'Läufe, nach ihrem letzten Aufruf',
    spalten: RUN,
    order: 'ende DESC',
    von: 'ende',
  },
  {
    name: 'verbrauch_tag',
    inhalt: 'Verbrauch je Tag der Ortszeit',
    spalten: ['tag', ...KEY, ...CONSUMPTION],
    order: `tag, ${KEY.join(', ')}`,
    von: 'tag',
  },
];
