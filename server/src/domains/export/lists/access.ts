/** Who may sign in, and with what. */
import { READ_WITH } from '#contracts';
import type { List } from '../list.ts';

export const ACCESS: readonly List[] = [
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
    right: READ_WITH.ansichten,
    title: 'eigene gespeicherte Ansichten; die anderer sieht niemand',
    columns: ['benutzer_id', 'ansicht_id', 'name', 'pfad', 'suche', 'erstellt_am', 'geaendert_am'],
    isOwn: true,
    order: 'benutzer_id, ansicht_id',
  },
  {
    name: 'bericht_abos',
    right: READ_WITH.benutzer,
    title: 'wer den Wochenbericht per Mail bekommt',
    columns: ['benutzer_id', 'eingeschaltet_am'],
    order: 'benutzer_id',
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
      'anfragen_je_minute',
      'ereignisse_je_minute',
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
];
