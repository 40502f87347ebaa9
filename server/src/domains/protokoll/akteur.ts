/** Who makes a change. */
import type { SessionPrincipal } from '#platform/principal.ts';

export interface Akteur {
  art: 'benutzer' | 'system' | 'betreiber';
  /** Id of the user; null for the system. */
  id: string | null;
  /** Address of the user at that time. */
  name: string | null;
  /** Network address of the request; null when there is none. */
  adresse: string | null;
}

/** The signed-in user of a request. */
export const akteurOf = (call: { principal: SessionPrincipal; request: { ip: string } }): Akteur => ({
  art: 'benutzer',
  id: call.principal.benutzerId,
  name: call.principal.email,
  adresse: call.request.ip,
});

/** Jobs and what else nobody asked for. */
export const SYSTEM: Akteur = { art: 'system', id: null, name: null, adresse: null };
