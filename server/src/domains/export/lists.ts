/** The lists of an export: what of which table, in which order. */
import { FIGURE_NAMES, READ_WITH, type Right } from '#contracts';
import { EVENT_COLUMNS } from '#domains/ereignisse/index.ts';
import { completeSums } from '#domains/verbrauch/index.ts';
import type { ColumnName } from './columns.ts';

export interface List {
  /** Also its table, but for `from`. */
  name: string;
  /** What is read, as SQL behind FROM. */
  from?: string;
  /** For people, German. */
  title: string;
  columns: readonly ColumnName[];
  /** Who may not read it elsewhere does not get it here either. */
  right: Right;
  /** Columns of the primary key, so that no sorting is needed however long the list is. */
  order: string;
}

const CONSUMPTION: readonly ColumnName[] = ['dimension', 'merkmal', ...FIGURE_NAMES];

const EVENT = EVENT_COLUMNS.map(({ name }) => name);
/** Fingerprints mean nothing to people, and text of unlimited length is in JSON only. */
const EVENT_IN_CSV = EVENT_COLUMNS.filter(({ kind }) => kind !== 'fingerprint' && kind !== 'object').map(
  ({ name }) => name,
);

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
  'teilbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
  'kosten_eur',
  'kosten_usd',
  'ersatz_eur',
  'verbranntes_geld_eur',
] as const;

const DAYS: List = {
  name: 'verbrauch_tag',
  right: READ_WITH.verbrauch,
  from: completeSums('tag'),
  title: 'Verbrauch je Tag der Ortszeit, gesamt und nach jedem Merkmal',
  columns: ['tag', ...CONSUMPTION],
  order: 'eintrag.dimension, tag, merkmal_id',
};

/** End customers, and what they were charged. */
const BILLING: readonly List[] = [
  {
    name: 'endkunden',
    right: READ_WITH.weiterbelastung,
    title: 'Endkunden',
    columns: [
      'endkunde_id',
      'referenz',
      'name',
      'kostenstelle',
      'debitorenkonto',
      'email',
      'aufschlag_prozent',
      'gehoert_zu',
      'entfernt_am',
      'erstellt_am',
    ],
    order: 'endkunde_id',
  },
  {
    name: 'buchhaltung_einstellungen',
    right: READ_WITH.weiterbelastung,
    title: 'Einstellungen der Buchhaltung',
    columns: [
      'beraternummer',
      'mandantennummer',
      'wirtschaftsjahr_beginn',
      'sachkontenlaenge',
      'kontenrahmen',
      'sammelkonto',
      'erloeskonto',
      'bu_schluessel',
      'steuersatz_prozent',
      'festschreibung',
      'diktatkuerzel',
      'bezeichnung',
      'verbranntes_berechnen',
      'aufschlag_ausweisen',
    ],
    order: 'mandant_id',
  },
  {
    name: 'abrechnungsmonate',
    right: READ_WITH.weiterbelastung,
    title: 'abgeschlossene Monate',
    columns: [
      'monat',
      'zeitzone',
      'verbranntes_berechnen',
      'aufschlag_ausweisen',
      'steuersatz_prozent',
      'geschlossen_am',
      'geschlossen_von',
    ],
    order: 'monat',
  },
  {
    name: 'abrechnungszeilen',
    right: READ_WITH.weiterbelastung,
    title: 'was in abgeschlossenen Monaten abgerechnet wurde',
    columns: [
      'monat',
      'bezug',
      'referenz',
      'name',
      'kostenstelle',
      'debitorenkonto',
      'aufschlag_prozent',
      'aufrufe',
      'unbepreist',
      'teilbepreist',
      'kosten_eur',
      'verbranntes_geld_eur',
      'abrechenbar_eur',
      'betrag_eur',
      'posten',
    ],
    order: 'monat, bezug, referenz',
  },
];

/** Rules, and what they have led to. */
const PROTECTION: readonly List[] = [
  {
    name: 'regeln',
    right: READ_WITH.verbrauch,
    title: 'Regeln',
    columns: [
      'regel_id',
      'name',
      'typ',
      'geltungsbereich',
      'bezug',
      'schwelle',
      'einheit',
      'stufe',
      'zeitfenster',
      'schattenbetrieb',
      'aktiv',
      'parameter',
      'erstellt_am',
      'geaendert_am',
    ],
    order: 'regel_id',
  },
  {
    name: 'befunde',
    right: READ_WITH.verbrauch,
    title: 'Befunde',
    columns: [
      'befund_id',
      'typ',
      'regel_id',
      'objekt_art',
      'objekt',
      'agent',
      'lauf_id',
      'fenster_beginn',
      'stufe',
      'schatten',
      'status',
      'werte',
      'kosten_eur',
      'verbrannt_eur',
      'potential_eur',
      'vorfall_id',
      'alarm_am',
      'erkannt_am',
      'geaendert_am',
    ],
    order: 'befund_id',
  },
  {
    name: 'vorfaelle',
    right: READ_WITH.verbrauch,
    title: 'Vorfälle',
    columns: [
      'vorfall_id',
      'objekt_art',
      'objekt',
      'status',
      'befunde',
      'stufe',
      'schatten',
      'beginn',
      'letzter_befund_am',
      'massnahme',
      'geschlossen_am',
      'geschlossen_von',
    ],
    order: 'vorfall_id',
  },
  {
    name: 'eingriffe',
    right: READ_WITH.verbrauch,
    title: 'Eingriffe',
    columns: [
      'eingriff_id',
      'stufe',
      'objekt_art',
      'objekt',
      'agent',
      'schatten',
      'regel_id',
      'befund_id',
      'grund_de',
      'veranlasst_von',
      'beginn',
      'bis',
      'aufgehoben_am',
      'aufgehoben_von',
      'missachtet',
    ],
    order: 'eingriff_id',
  },
];

/** As JSON, whole. */
export const LISTS: readonly List[] = [
  {
    name: 'benutzer',
    right: READ_WITH.benutzer,
    title: 'Benutzer',
    columns: [
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
    right: READ_WITH.einladungen,
    title: 'offene und abgelaufene Einladungen',
    columns: ['einladung_id', 'email', 'rolle', 'eingeladen_von', 'erstellt_am', 'gueltig_bis'],
    order: 'einladung_id',
  },
  {
    name: 'ansichten',
    right: READ_WITH.benutzer,
    title: 'gespeicherte Ansichten der Benutzer',
    columns: ['benutzer_id', 'ansicht_id', 'name', 'pfad', 'suche', 'erstellt_am', 'geaendert_am'],
    order: 'benutzer_id, ansicht_id',
  },
  {
    name: 'schluessel',
    right: READ_WITH.schluessel,
    title: 'API-Schlüssel, ohne den geheimen Teil',
    columns: [
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
    right: READ_WITH.sso,
    title: 'E-Mail-Domains der Anmeldung mit Firmenkonto',
    columns: ['domain', 'nachweis', 'bewiesen_am'],
    order: 'domain',
  },
  {
    name: 'sso_identitaeten',
    right: READ_WITH.sso,
    title: 'welcher Benutzer wer beim Anbieter der Firmenkonten ist',
    columns: ['issuer', 'subject', 'benutzer_id', 'erstellt_am'],
    order: 'issuer, subject',
  },
  {
    name: 'zahlungsereignisse',
    right: READ_WITH.konto,
    title: 'Meldungen des Zahlungsanbieters',
    columns: ['ereignis', 'art', 'empfangen_am'],
    order: 'ereignis',
  },
  {
    name: 'pruefprotokoll',
    right: READ_WITH.pruefprotokoll,
    title: 'Prüfprotokoll: jede Änderung mit wer, was, vorher, nachher, wann, von wo',
    columns: [
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
    name: 'alarme',
    right: READ_WITH.alarmliste,
    title: 'Alarme, Entwarnungen und Sammelmeldungen des letzten Jahres',
    columns: [
      'alarm_id',
      'alarm_art',
      'ursache',
      'stufe',
      'titel_de',
      'titel_en',
      'text_de',
      'text_en',
      'pfad',
      'zeitpunkt',
      'gehalten_bis',
      'sammlung_id',
    ],
    order: 'alarm_id',
  },
  {
    name: 'alarm_zustellungen',
    right: READ_WITH.alarmliste,
    title: 'wie die Zustellung der Alarme ausging',
    columns: [
      'zustellung_id',
      'alarm_id',
      'kanal',
      'zustellung_status',
      'versuche',
      'antwort_status',
      'fehler_de',
      'fehler_en',
      'frist',
      'erstellt_am',
      'versucht_am',
    ],
    order: 'zustellung_id',
  },
  {
    name: 'agenten',
    right: READ_WITH.agenten,
    title: 'Agenten',
    columns: [
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
    right: READ_WITH.agenten,
    title: 'Projekte',
    columns: ['projekt_id', 'schluessel', 'name', 'budget_eur', 'erstellt_am'],
    order: 'projekt_id',
  },
  ...BILLING,
  ...PROTECTION,
  {
    name: 'neubepreisungen',
    right: READ_WITH.preise,
    title: 'Neubepreisungen vergangener Aufrufe',
    columns: [
      'neubepreisung_id',
      'status',
      'grund',
      'von',
      'bis',
      'zeitzone',
      'fassung',
      'liste',
      'ereignisse',
      'gelesen',
      'angelegt_am',
      'angelegt_von',
      'angewendet_am',
      'angewendet_von',
      'beendet_am',
    ],
    order: 'neubepreisung_id',
  },
  {
    name: 'neubepreisung_zeilen',
    right: READ_WITH.preise,
    title: 'was sich bei Neubepreisungen je Monat und Agent geändert hat',
    columns: [
      'neubepreisung_id',
      'monat',
      'agent',
      'geaendert',
      'alt_usd',
      'neu_usd',
      'differenz_eur',
      'unbepreist',
    ],
    order: 'neubepreisung_id, monat, agent',
  },
  {
    name: 'preisbuecher',
    right: READ_WITH.preise,
    title: 'Fassungen des Preisbuchs',
    columns: ['fassung', 'inhalt', 'erstellt_am', 'erstellt_von'],
    order: 'fassung',
  },
  DAYS,
  {
    name: 'verbrauch_stunde',
    right: READ_WITH.verbrauch,
    from: completeSums('stunde'),
    title: 'Verbrauch je Stunde der Ortszeit, gesamt und nach jedem Merkmal',
    columns: ['stunde', ...CONSUMPTION],
    order: 'eintrag.dimension, stunde, merkmal_id',
  },
  {
    name: 'verbrauch_kurs',
    right: READ_WITH.verbrauch,
    title: 'zu welchen Kursen der Verbrauch einer Stunde umgerechnet ist',
    columns: ['stunde', 'kurs_usd_eur', 'aufrufe', 'kosten_usd', 'ersatz_aufrufe', 'ersatz_tag'],
    order: 'stunde, kurs_usd_eur',
  },
  { name: 'laeufe', right: READ_WITH.laeufe, title: 'Läufe', columns: RUN, order: 'lauf_id' },
  {
    name: 'ereignisse',
    right: READ_WITH.laeufe,
    title: 'gezählte Ereignisse',
    columns: EVENT,
    order: 'zeitpunkt, ereignis_id',
  },
];

/** A list of the last days as CSV. */
export interface Excerpt extends List {
  /** The column that says when; rows from the first day on. */
  since: 'zeitpunkt' | 'ende' | 'tag';
}

/** As CSV, of the last days. */
export const EXCERPTS: readonly Excerpt[] = [
  {
    name: 'ereignisse',
    right: READ_WITH.laeufe,
    title: 'gezählte Ereignisse',
    columns: EVENT_IN_CSV,
    order: 'zeitpunkt, ereignis_id',
    since: 'zeitpunkt',
  },
  {
    name: 'laeufe',
    right: READ_WITH.laeufe,
    title: 'Läufe, nach ihrem letzten Aufruf',
    columns: RUN,
    order: 'ende DESC',
    since: 'ende',
  },
  { ...DAYS, since: 'tag' },
];
