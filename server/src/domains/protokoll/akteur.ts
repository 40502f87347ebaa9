/** Who makes a change. */
import type { MandantId } from '#kernel/mandant-id.ts';
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

/** The signed-in operator of a request, for the operator log. */
export const betreiberOf = (call: Parameters<typeof akteurOf>[0]): Akteur & { mandant: MandantId } => ({
  ...akteurOf(call),
  mandant: call.principal.mandant,
});

/** How a Mandant's audit log names who runs the installation: the command line as it is, a signed-in operator by that word alone. */
export const asSeenByMandant = (akteur: Akteur): Akteur =>
  akteur.art === 'benutzer' ? { art: 'betreiber', id: null, name: 'Betreiber', adresse: null } : akteur;

/** Jobs and what else nobody asked for. */
export const SYSTEM: Akteur = { art: 'system', id: null, name: null, adresse: null };
