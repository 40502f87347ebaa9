/** The lists of an export: what of which table, in which order. */
import { READ_WITH } from '#contracts';
import type { List } from './list.ts';
import { ACCESS } from './lists/access.ts';
import { ALARMS } from './lists/alarms.ts';
import { BILLING } from './lists/billing.ts';
import { CONSUMPTION } from './lists/consumption.ts';
import { PRICES } from './lists/prices.ts';
import { PROTECTION } from './lists/protection.ts';

export type { List, TableList } from './list.ts';
export { EXCERPTS, type Excerpt, type TableExcerpt } from './lists/consumption.ts';

/** As JSON, whole. */
export const LISTS: readonly List[] = [
  ...ACCESS,
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
  ...ALARMS,
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
      'budget_bei_erreichen',
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
    columns: ['projekt_id', 'schluessel', 'name', 'budget_eur', 'budget_bei_erreichen', 'erstellt_am'],
    order: 'projekt_id',
  },
  ...BILLING,
  ...PROTECTION,
  ...PRICES,
  ...CONSUMPTION,
];
