/** Price books, and what was priced anew. */
import { READ_WITH } from '#contracts';
import type { List } from '../list.ts';

export const PRICES: readonly List[] = [
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
];
