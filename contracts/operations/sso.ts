/** Single sign-on: a Mandant's users sign in with their company account (OpenID Connect). */
import {
  boolean,
  datetime,
  nullable,
  oneOf,
  oneOfOrFirst,
  operation,
  optional,
  secret,
  Type,
  text,
  textWithDefault,
} from '../kit/index.ts';
import { Rolle } from './zugang.ts';

/** A mail domain that leads to the provider once it is proven to be the Mandant's. */
export const SsoDomain = Type.Object({
  domain: text(),
  status: oneOf('bewiesen', 'offen'),
  bewiesen_am: nullable(datetime()),
  /** Name of the TXT record that proves the domain … */
  eintrag: text(),
  /** … and what it must say. */
  nachweis: text(),
});

export const Sso = Type.Object({
  eingerichtet: boolean(),
  aktiv: boolean(),
  issuer: nullable(text()),
  client_id: nullable(text()),
  /** The secret itself is never shown. */
  client_secret_gesetzt: boolean(),
  domains: Type.Array(SsoDomain),
  rolle_neu: Rolle,
  name: text(),
  /** The address to enter at the provider. */
  redirect_uri: text(),
});

export const SsoEinstellung = Type.Object({
  aktiv: Type.Optional(boolean({ default: true })),
  issuer: text({ min: 8, max: 2000 }),
  client_id: text({ min: 1, max: 500 }),
  /** Left out or null: the stored one stays. */
  client_secret: optional(secret({ max: 2000 })),
  domains: Type.Optional(Type.Array(text({ min: 1, max: 253 }), { maxItems: 20 })),
  rolle_neu: oneOfOrFirst('betrachter', 'buchhaltung', 'bearbeiter', 'verwalter'),
  name: textWithDefault('Firmenkonto', { min: 1, max: 120 }),
});

export const ssoLesen = operation({
  id: 'sso.lesen',
  method: 'GET',
  path: '/v1/cockpit/mandant/sso',
  summary: 'Die Anmeldung mit Firmenkonto, ohne das Geheimnis.',
  access: { kind: 'session', right: 'konto.verwalten' },
  response: Sso,
});

export const ssoSetzen = operation({
  id: 'sso.setzen',
  method: 'PUT',
  path: '/v1/cockpit/mandant/sso',
  summary: 'Richtet die Anmeldung mit Firmenkonto ein.',
  access: { kind: 'session', right: 'konto.verwalten' },
  body: SsoEinstellung,
  response: Sso,
});

export const ssoEntfernen = operation({
  id: 'sso.entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/mandant/sso',
  summary: 'Entfernt die Anmeldung mit Firmenkonto; die Benutzer bleiben.',
  access: { kind: 'session', right: 'konto.verwalten' },
  response: Sso,
});

export const ssoDomainPruefen = operation({
  id: 'sso.domain_pruefen',
  method: 'POST',
  path: '/v1/cockpit/mandant/sso/domains/{domain}/pruefen',
  summary: 'Sucht den TXT-Eintrag, der die Domain beweist.',
  access: { kind: 'session', right: 'konto.verwalten' },
  params: Type.Object({ domain: text({ max: 253 }) }),
  response: SsoDomain,
});

export const ssoAnbieter = operation({
  id: 'sso.anbieter',
  method: 'GET',
  path: '/v1/sso/anbieter',
  summary: 'Ob es zur Domain einer Adresse ein Firmenkonto gibt.',
  access: { kind: 'public' },
  query: Type.Object({ email: text({ max: 254 }) }),
  response: Type.Object({ vorhanden: boolean(), name: nullable(text()) }),
});

export const ssoStart = operation({
  id: 'sso.start',
  method: 'GET',
  path: '/v1/sso/start',
  summary: 'Beginnt die Anmeldung mit Firmenkonto; der Browser geht zur Adresse der Antwort.',
  access: { kind: 'public' },
  query: Type.Object({ email: text({ max: 254 }) }),
  response: Type.Object({ adresse: text() }),
});

/** Why a login with the company account failed: `fehler` in the address of the login page the callback leads to. */
export const SSO_FEHLER = [
  /** Too late, begun anew meanwhile, or the return was used already. */
  'sso_abgelaufen',
  /** Begun in another browser, or its cookie is gone. */
  'sso_browser',
  /** The provider says no, or the user stopped there. */
  'sso_abgebrochen',
  'sso_nicht_erreichbar',
  /** The provider's answer does not hold: signature, issuer, audience, nonce and the like. */
  'sso_antwort_ungueltig',
  /** The provider names no address, or does not vouch for it. */
  'sso_email_unbestaetigt',
  /** The address is not in a domain that the Mandant has proven. */
  'sso_domain_fremd',
  /** The address belongs to a user of another Mandant. */
  'konto_woanders',
  'konto_deaktiviert',
  /** The user with this address belongs to another account at the provider. */
  'konto_verknuepft',
  /** Operators, and an inhaber whose provider a verwalter chose, sign in with their password. */
  'konto_passwort',
] as const;
export type SsoFehler = (typeof SSO_FEHLER)[number];

export const ssoCallback = operation({
  id: 'sso.callback',
  method: 'GET',
  path: '/v1/sso/callback',
  summary: 'Rückkehr vom Anbieter; die Seite führt ins Cockpit oder zurück zur Anmeldung.',
  access: { kind: 'public' },
  query: Type.Object({
    code: Type.Optional(secret({ max: 4000 })),
    state: Type.Optional(secret({ max: 200 })),
    error: Type.Optional(text({ max: 400 })),
    /** Issuer as the provider names itself (RFC 9207). */
    iss: Type.Optional(text({ max: 2000 })),
  }),
  media: ['text/html'],
  response: text(),
});
