/** Calls, runs and what they add up to; as JSON whole, as CSV of the last days. */
import { FIGURE_NAMES, READ_WITH } from '#contracts';
import { EVENT_COLUMNS } from '#domains/ereignisse/index.ts';
import type { ColumnName } from '../columns.ts';
import type { List, SumsList, TableList } from '../list.ts';

const SUMS: readonly ColumnName[] = ['dimension', 'merkmal', ...FIGURE_NAMES, 'token'];

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
  'eingabe_ohne_cache',
  'ausgabe_gesamt',
  'aufgeteilt',
  'token',
  'kosten_eur',
  'kosten_usd',
  'ersatz_eur',
  'verbranntes_geld_eur',
] as const;

const DAYS: SumsList = {
  name: 'verbrauch_tag',
  right: READ_WITH.verbrauch,
  by: 'tag',
  title: 'Verbrauch je Tag der Ortszeit, gesamt und nach jedem Merkmal',
  columns: ['tag', ...SUMS],
};

export const CONSUMPTION: readonly List[] = [
  DAYS,
  {
    name: 'verbrauch_stunde',
    right: READ_WITH.verbrauch,
    by: 'stunde',
    title: 'Verbrauch je Stunde der Ortszeit, gesamt und nach jedem Merkmal',
    columns: ['stunde', ...SUMS],
  },
  {
    name: 'verbrauch_kurs',
    right: READ_WITH.verbrauch,
    title: 'zu welchen Kursen der Verbrauch einer Stunde umgerechnet ist',
    columns: ['stunde', 'kurs_usd_eur', 'aufrufe', 'kosten_usd', 'ersatz_aufrufe', 'ersatz_tag'],
    order: 'eintrag.stunde, eintrag.kurs_usd_eur',
  },
  {
    name: 'verbrauch_schluessel',
    right: READ_WITH.verbrauch,
    title: 'Verbrauch je Stunde der Ortszeit nach dem API-Schlüssel der Aufrufe',
    columns: [
      'schluessel_id',
      'stunde',
      'aufrufe',
      'unbepreist',
      'schluessel_token',
      'kosten_eur',
      'kosten_usd',
      'ohne_lauf',
      'ohne_fingerabdruck',
      'ohne_endkunde',
      'adresse_als_anbieter',
      'letzter_aufruf_am',
    ],
    order: 'eintrag.schluessel_id, eintrag.stunde',
  },
  {
    name: 'verbrauch_quellen',
    right: READ_WITH.verbrauch,
    title: 'Verbrauch je Tag der Ortszeit nach API-Schlüssel und Bibliothek, der letzten 40 Tage',
    columns: [
      'schluessel_id',
      'tag',
      'quelle',
      'bibliothek',
      'version',
      'aufrufe',
      'unbepreist',
      'kosten_eur',
      'ohne_lauf',
      'ohne_agent',
      'ohne_endkunde',
      'ohne_fingerabdruck',
      'ohne_cache',
      'ohne_token',
      'abo_aufrufe',
      'abo_kosten_eur',
      'letzter_aufruf_am',
    ],
    order: 'eintrag.schluessel_id, eintrag.tag, eintrag.quelle, eintrag.bibliothek, eintrag.version',
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

/** Rows of the last days as CSV. */
export interface TableExcerpt extends TableList {
  /** The column that says when; rows from the first day on. */
  since: 'zeitpunkt' | 'ende';
}
export type Excerpt = TableExcerpt | SumsList;

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
  DAYS,
];
