/** Single sign-on: a Mandant's users sign in with their company account (OpenID Connect). */
import {
  boolean,
  component,
  datetime,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  preset,
  secret,
  Type,
  text,
} from '../kit/index.ts';
import { Rolle } from './zugang.ts';

const MAX_DOMAINS = 20;

export const SsoDomain = component(
  'SsoDomain',
  'A mail domain that leads to the provider once it is proven to be the Mandant’s.',
  {
    domain: field(text(), 'The domain.', 'example.org'),
    status: field(oneOf('bewiesen', 'offen'), 'Proven, or not yet.'),
    bewiesen_am: field(nullable(datetime()), 'When it was proven; null while it is not.'),
    eintrag: field(text(), 'Name of the TXT record that proves the domain.', '_zaehlwerk.example.org'),
    nachweis: field(text(), 'What the record must say.'),
  },
);

export const Sso = component('Sso', 'How users sign in with their company account.', {
  eingerichtet: field(boolean(), 'Whether a provider is entered.'),
  aktiv: field(boolean(), 'Whether it may be used.'),
  issuer: field(nullable(text()), 'Address of the identity provider.', 'https://login.example.org'),
  client_id: field(nullable(text()), 'Name of this service at the provider.', 'zaehlwerk'),
  client_secret_gesetzt: field(boolean(), 'Whether a secret is stored; it is never shown.'),
  domains: field(listOf(SsoDomain, MAX_DOMAINS), 'The claimed domains.'),
  rolle_neu: field(Rolle, 'Role of users who sign in for the first time.'),
  name: field(text(), 'Name on the login page.', 'Firmenkonto'),
  redirect_uri: field(text(), 'The address to enter at the provider.'),
});

export const SsoEinstellung = component('SsoEinstellung', 'The provider to set.', {
  aktiv: preset(field(boolean(), 'Whether it may be used.'), true),
  issuer: field(
    text({ min: 8, max: 2000 }),
    'Address of the identity provider.',
    'https://login.example.org',
  ),
  client_id: field(text({ min: 1, max: 500 }), 'Name of this service at the provider.', 'zaehlwerk'),
  client_secret: field(
    optional(secret({ max: 2000 })),
    'Left out or null: the stored one stays, as long as the issuer does.',
  ),
  domains: Type.Optional(
    field(
      Type.Array(text({ min: 1, max: 253 }), { maxItems: MAX_DOMAINS }),
      'Mail domains; these replace all before, those that stay keep their proof. Left out: all stay.',
      ['example.org'],
    ),
  ),
  rolle_neu: preset(
    field(
      oneOf('betrachter', 'buchhaltung', 'bearbeiter', 'verwalter'),
      'Role of users who sign in for the first time.',
    ),
    'betrachter',
  ),
  name: preset(field(text({ min: 1, max: 120 }), 'Name on the login page.'), 'Firmenkonto'),
});

export const ssoLesen = operation({
  id: 'sso.lesen',
  method: 'GET',
  path: '/v1/cockpit/mandant/sso',
  summary: 'Die Anmeldung mit Firmenkonto, ohne das Geheimnis.',
  description: 'The settings of single sign-on, without the secret.',
  access: { kind: 'session', right: 'konto.verwalten' },
  response: Sso,
});

export const ssoSetzen = operation({
  id: 'sso.setzen',
  method: 'PUT',
  path: '/v1/cockpit/mandant/sso',
  summary: 'Richtet die Anmeldung mit Firmenkonto ein.',
  description:
    'Sets the provider. Nobody can use it before a domain is proven. A new issuer, and one that is switched on, is asked for its description first: what is no OpenID provider is refused (422 `value_error`).',
  access: { kind: 'session', right: 'konto.verwalten' },
  refuses: { 409: ['funktion_nicht_im_tarif'], 429: ['zu_viele_versuche'] },
  body: SsoEinstellung,
  response: Sso,
});

export const ssoEntfernen = operation({
  id: 'sso.entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/mandant/sso',
  summary: 'Entfernt die Anmeldung mit Firmenkonto; die Benutzer bleiben.',
  description:
    'Removes the provider with its domains. Users stay; who has no password sets one by a reset link.',
  access: { kind: 'session', right: 'konto.verwalten' },
  response: Sso,
});

export const ssoDomainPruefen = operation({
  id: 'sso.domain_pruefen',
  method: 'POST',
  path: '/v1/cockpit/mandant/sso/domains/{domain}/pruefen',
  summary: 'Sucht den TXT-Eintrag, der die Domain beweist.',
  description: 'Looks for the TXT record that proves a claimed domain.',
  access: { kind: 'session', right: 'konto.verwalten' },
  refuses: { 409: ['domain_vergeben'], 429: ['zu_viele_versuche'], 503: ['dns_nicht_erreichbar'] },
  params: Type.Object({ domain: field(text({ max: 253 }), 'A claimed domain.', 'example.org') }),
  response: SsoDomain,
});

const emailQuery = () =>
  field(text({ max: 254 }), 'Address of the user who wants to sign in.', 'anna@example.org');

export const ssoAnbieter = operation({
  id: 'sso.anbieter',
  method: 'GET',
  path: '/v1/sso/anbieter',
  summary: 'Ob es zur Domain einer Adresse ein Firmenkonto gibt.',
  description: 'Tells the login page whether a company account exists for the domain of the address.',
  access: { kind: 'public' },
  query: Type.Object({ email: emailQuery() }),
  response: component('SsoAnbieter', 'Whether an address can sign in with a company account.', {
    vorhanden: field(boolean(), 'Whether there is one.'),
    name: field(nullable(text()), 'Its name; null when there is none.', 'Firmenkonto'),
  }),
});

export const ssoStart = operation({
  id: 'sso.start',
  method: 'GET',
  path: '/v1/sso/start',
  summary: 'Beginnt die Anmeldung mit Firmenkonto; der Browser geht zur Adresse der Antwort.',
  description:
    'Begins a login with the company account: sets a cookie that ties it to this browser and names the address to go to.',
  access: { kind: 'public' },
  refuses: { 404: ['kein_firmenkonto'], 429: ['zu_viele_versuche'], 502: ['anbieter_nicht_erreichbar'] },
  query: Type.Object({ email: emailQuery() }),
  response: component('SsoStart', 'Where a login goes on.', {
    adresse: field(text(), 'Address at the identity provider.'),
  }),
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
  description: `Where the identity provider sends the browser back to. The page leads into the cockpit, signed in, or back to the login page with \`fehler\`: ${SSO_FEHLER.map((code) => `\`${code}\``).join(', ')}.`,
  access: { kind: 'public' },
  query: Type.Object({
    code: Type.Optional(field(secret({ max: 4000 }), 'Authorization code of the provider.')),
    state: Type.Optional(field(secret({ max: 200 }), 'Names the login that was begun.')),
    error: Type.Optional(field(text({ max: 400 }), 'Why the provider refuses.', 'access_denied')),
    iss: Type.Optional(field(text({ max: 2000 }), 'Issuer as the provider names itself (RFC 9207).')),
  }),
  media: ['text/html'],
  response: text(),
});
