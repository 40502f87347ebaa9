/** From rows and principals to the shapes of the contract. */
import type { ich, kontoLesen, ResponseOf, Schluessel, Static } from '#contracts';
import type { SessionPrincipal } from '#http/index.ts';
import type { MandantRow, SchluesselRow } from './store.ts';

/** PostgreSQL's microseconds are cut to the milliseconds of the contract. */
const toInstant = (text: string): string => new Date(text).toISOString();
const toInstantOrNull = (text: string | null): string | null => (text === null ? null : toInstant(text));

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
});

export const mandantToApi = (row: MandantRow): ResponseOf<typeof kontoLesen>['mandant'] => ({
  mandant_id: row.mandant_id,
  firma: row.firma,
  paket: row.paket,
  paket_bis: toInstantOrNull(row.paket_bis),
  status: row.status,
  zeitzone: row.zeitzone,
  avv_akzeptiert_am: toInstantOrNull(row.avv_akzeptiert_am),
  erstellt_am: toInstant(row.erstellt_am),
});

export const ichToApi = (principal: SessionPrincipal): ResponseOf<typeof ich> => ({
  benutzer: {
    benutzer_id: principal.benutzerId,
    email: principal.email,
    name: principal.name,
    rolle: principal.rolle,
  },
  mandant: {
    mandant_id: principal.mandant,
    firma: principal.firma,
    paket: principal.paket,
    zeitzone: principal.zeitzone,
  },
  rechte: [...principal.rechte],
});
