import type { Schluessel, Static } from '#contracts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { SchluesselRow } from './store.ts';

/** A key as it may be shown at any time. */
export const schluesselToApi = (row: SchluesselRow): Static<typeof Schluessel> => ({
  schluessel_id: row.schluessel_id,
  name: row.name,
  anzeige: `${row.anfang}…${row.letzte_vier}`,
  bereiche: row.bereiche,
  status: row.gesperrt_am === null ? 'aktiv' : 'gesperrt',
  erstellt_am: toInstant(row.erstellt_am),
  gesperrt_am: toInstantOrNull(row.gesperrt_am),
  zuletzt_benutzt_am: toInstantOrNull(row.zuletzt_benutzt_am),
  anfragen_je_minute: row.anfragen_je_minute,
  ereignisse_je_minute: row.ereignisse_je_minute,
});
