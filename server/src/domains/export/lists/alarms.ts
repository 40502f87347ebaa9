/** What was told, to whom, and how that went. */
import { READ_WITH } from '#contracts';
import type { List } from '../list.ts';

export const ALARMS: readonly List[] = [
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
    name: 'postempfaenger',
    right: READ_WITH.alarme,
    title: 'was Empfänger von Mails dazu gesagt haben, dass sie welche bekommen',
    columns: ['post_art', 'mailadresse', 'angefragt_am', 'bestaetigt_am', 'abgemeldet_am'],
    order: 'post_art, mailadresse',
  },
];
