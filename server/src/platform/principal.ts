/** Who calls, and the port through which the HTTP kit finds out; the slices `schluessel` and `zugang` implement it. */
import type { Right, Rolle, Scope, Static } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Quotas } from './quota.ts';

export interface KeyPrincipal {
  kind: 'key';
  mandant: MandantId;
  schluesselId: string;
  bereiche: Scope[];
  /** Project of events that name none; null when the key has none. */
  projekt: string | null;
  /** How much it may send; null where nothing is limited. */
  kontingente: Quotas | null;
  /** Events dated before are refused, as ISO 8601 in UTC; null: none is too old. */
  annahmeAb: string | null;
}

export interface SessionPrincipal {
  kind: 'session';
  mandant: MandantId;
  benutzerId: string;
  sitzungId: string;
  email: string;
  name: string | null;
  rolle: Static<typeof Rolle>;
  firma: string;
  paket: string;
  /** IANA name of the Mandant's time zone. */
  zeitzone: string;
  rechte: readonly Right[];
  /** Whether login asks this user for a code. */
  zweiterFaktor: boolean;
  /** Operator of the installation. */
  betreiber: boolean;
}

/** Resolves credentials; null for unknown, blocked or expired ones, which all answer alike. */
export interface Authenticator {
  key(secret: string): Promise<KeyPrincipal | null>;
  session(token: string): Promise<SessionPrincipal | null>;
}
