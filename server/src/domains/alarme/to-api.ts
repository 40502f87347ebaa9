/** Rows as answers show them. */
import type { AlarmEinstellungen, AlarmEintrag, Static, Zustellung } from '#contracts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { Einstellungen } from './einstellungen.ts';
import { formerUntil, type Geheimnisse } from './signing.ts';
import type { AlarmRow, ZustellungRow } from './store.ts';

export const zustellungToApi = (row: ZustellungRow): Static<typeof Zustellung> => ({
  zustellung_id: row.zustellung_id,
  kanal: row.kanal,
  status: row.status,
  versuche: row.versuche,
  antwort_status: row.antwort_status,
  fehler: row.fehler_de && row.fehler_en ? { de: row.fehler_de, en: row.fehler_en } : null,
  frist: toInstant(row.frist),
  erstellt_am: toInstant(row.erstellt_am),
  versucht_am: toInstantOrNull(row.versucht_am),
});

export const alarmToApi = (row: AlarmRow, zustellungen: ZustellungRow[]): Static<typeof AlarmEintrag> => ({
  alarm_id: row.alarm_id,
  art: row.art,
  stufe: row.stufe,
  titel: { de: row.titel_de, en: row.titel_en },
  text: { de: row.text_de, en: row.text_en },
  pfad: row.pfad,
  zeitpunkt: toInstant(row.zeitpunkt),
  gehalten_bis: toInstantOrNull(row.gehalten_bis),
  sammlung_id: row.sammlung_id,
  zustellungen: zustellungen.map(zustellungToApi),
});

export const einstellungenToApi = (
  { sprache, ruhestunden, sammeln, sammelnUm }: Einstellungen,
  geheimnisse: Geheimnisse | null,
  now: Date,
): Static<typeof AlarmEinstellungen> => ({
  sprache,
  ruhestunden,
  sammeln,
  sammeln_um: sammelnUm,
  unterschrift_seit: geheimnisse?.seit ?? null,
  unterschrift_frueher_bis: geheimnisse && formerUntil(geheimnisse, now),
});
