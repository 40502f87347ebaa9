import { mandantId } from '#kernel/mandant-id.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { rightsOf } from './rules.ts';
import type { BenutzerRow } from './store/benutzer.ts';

/** What a user may do follows from the role each time it is read: a changed role needs no new session. */
export const principalOf = (row: BenutzerRow & { sitzung_id: string }): SessionPrincipal => ({
  kind: 'session',
  mandant: mandantId(row.mandant_id),
  benutzerId: row.benutzer_id,
  sitzungId: row.sitzung_id,
  email: row.email,
  name: row.name,
  rolle: row.rolle,
  firma: row.firma,
  paket: row.paket,
  zeitzone: row.zeitzone,
  rechte: rightsOf(row.rolle),
  zweiterFaktor: row.zweiter_faktor,
  betreiber: row.betreiber,
});
