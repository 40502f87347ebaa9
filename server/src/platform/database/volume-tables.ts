/**
 * The tables that grow with what is sent, in the order of docs/architecture.md: `mandant_id` stands first in every key, so that
 * a cluster (Citus) can keep each Mandant's rows together on one of its nodes. All others stay on its coordinator.
 */
export const VOLUME_TABLES = [
  'eingang',
  'eingang_unzaehlbar',
  'idempotenz',
  'agenten',
  'projekte',
  'endkunden',
  'ereignis_kennungen',
  'ereignisse',
  'laeufe',
  'lauf_zustaende',
  'wiederholungen_offen',
  'rueckblicke',
  'preisbuecher',
  'neubepreisungen',
  'neubepreisung_zeilen',
  'abrechnungsmonate',
  'abrechnungszeilen',
  'abrechnung_versendungen',
  'anbieter_rechnungen',
  'gemeldete_kosten',
  'gemeldete_kosten_tage',
  'regeln',
  'befunde',
  'vorfaelle',
  'eingriffe',
  'zwilling_ersparnisse',
  'zwilling_tage',
  'merkmale',
  'verbrauch_minute',
  'verbrauch_stunde',
  'verbrauch_tag',
  'verbrauch_woche',
  'verbrauch_kurs',
  'verbrauch_tagesstand',
  'verbrauch_paar',
  'verbrauch_einzeln',
  'zaehlmarken',
  'zaehlstaende',
  'alarme',
  'alarm_zustellungen',
] as const;

/** Whose parts the others lie beside: the first one to be distributed. */
export const ANCHOR = VOLUME_TABLES[0];
