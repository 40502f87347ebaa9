import type { Protokolleintrag, Static } from '#contracts';
import { toInstant } from '#kernel/instant.ts';
import type { EintragRow } from './store.ts';

export const eintragToApi = (row: EintragRow): Static<typeof Protokolleintrag> => ({
  eintrag_id: row.eintrag_id,
  zeitpunkt: toInstant(row.zeitpunkt),
  akteur: { art: row.akteur_art, id: row.akteur_id, name: row.akteur_name },
  aktion: row.aktion,
  objekt: { art: row.objekt_art, id: row.objekt_id, name: row.objekt_name },
  vorher: row.vorher,
  nachher: row.nachher,
  adresse: row.adresse,
});
