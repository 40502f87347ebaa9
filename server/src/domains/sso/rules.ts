/** What may be set, which addresses a provider speaks for, who may come this way. */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import { oneLine } from '#kernel/name.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { networksOf, type Outbound } from '#platform/outbound.ts';

/** How long a login may take at the provider. */
export const LOGIN_MINUTES = 10;

const DISCOVERY = /\/\.well-known\/openid-configuration$/;

/** The issuer as it is stored: people also paste the address of its description. */
export const normaliseIssuer = (text: string): string => text.trim().replace(DISCOVERY, '');

/** A literal address in one of the networks that the operator allows; such a network is the operator's own. */
function isInside(host: string, networks: string[]): boolean {
  const literal = host.replace(/^\[|\]$/g, '');
  if (!isIP(literal)) return false;
  const address = ipaddr.process(literal);
  return networksOf(networks).some(
    ([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix),
  );
}

/** Why an issuer cannot be used, as a clause; null when it can. */
export function issuerProblem(
  issuer: string,
  outbound: Pick<Outbound, 'problemOf'>,
  config: { production: boolean; allowedNetworks: string[] },
): Sentence | null {
  const problem = outbound.problemOf(issuer);
  if (problem !== null) return problem;
  const { protocol, search, hash, hostname } = new URL(issuer);
  if (search !== '' || hash !== '')
    return { de: 'darf weder „?“ noch „#“ enthalten', en: 'must contain neither “?” nor “#”' };
  // Codes, tokens and the secret would cross the internet in the clear.
  const isPlainAllowed = !config.production || isInside(hostname, config.allowedNetworks);
  return protocol === 'http:' && !isPlainAllowed
    ? { de: 'muss mit https:// beginnen', en: 'must begin with https://' }
    : null;
}

/** With the name of its record before it, a domain must still be a domain. */
const MAX_DOMAIN = 253 - '_zaehlwerk.'.length;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A domain in the one form that is stored: lower case, international names in ASCII; null when it is none. */
export function normaliseDomain(text: string): string | null {
  const domain = domainToASCII(text.trim().replace(/^@/, '').replace(/\.$/, '')).toLowerCase();
  const labels = domain.split('.');
  const isPlausible =
    labels.length > 1 && domain.length <= MAX_DOMAIN && labels.every((label) => LABEL.test(label));
  // A top-level domain is never a number; this leaves out IP addresses, too.
  return isPlausible && /[a-z]/.test(labels.at(-1) ?? '') ? domain : null;
}

/** The domain of an address as it is stored; null when there is none. */
export function domainOf(email: string): string | null {
  const at = email.lastIndexOf('@');
  return at < 1 ? null : normaliseDomain(email.slice(at + 1));
}

/** Where everybody has an address. Their owners do not sign in here, and nobody else could prove them. */
const PUBLIC_MAIL = new Set(
  `aol.com arcor.de email.de freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hotmail.com hotmail.de
   icloud.com live.com live.de mail.de mail.ru mailbox.org me.com msn.com online.de outlook.com outlook.de posteo.de
   proton.me protonmail.com t-online.de vodafone.de web.de yahoo.com yahoo.de yandex.com zoho.com`.split(
    /\s+/,
  ),
);

export const isPublicMail = (domain: string): boolean => PUBLIC_MAIL.has(domain);

/** Name of the TXT record that proves a domain, and what it must say. */
export const recordName = (domain: string): string => `_zaehlwerk.${domain}`;
export const recordValue = (nachweis: string): string => `zaehlwerk-domain=${nachweis}`;

/** Whether one of the TXT records, each in its pieces, is the proof. */
export const isProof = (records: string[][], nachweis: string): boolean =>
  records.some((pieces) => pieces.join('').trim() === recordValue(nachweis));

/** What the provider says of a user. */
export interface Claims {
  iss: string;
  sub: string;
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
  xms_edov?: unknown;
}

const ENTRA = 'login.microsoftonline.com';

/**
 * Whether the provider vouches for the address. Microsoft Entra ID never says `email_verified`; its optional claim
 * `xms_edov` says that the domain of the address is the company's own.
 */
export const isEmailVerified = ({ iss, email_verified, xms_edov }: Claims): boolean =>
  email_verified === true ||
  (new URL(iss).hostname === ENTRA && [true, 1, '1', 'true'].some((yes) => yes === xms_edov));

const MAX_NAME = 120;

/** The name of a new user, as far as the provider tells one that can be shown. */
export function nameOf({ name }: Claims): string | null {
  if (typeof name !== 'string' || !name.isWellFormed()) return null;
  const shown = [...oneLine(name)].slice(0, MAX_NAME).join('');
  return shown === '' ? null : shown;
}

/**
 * Whether a user must use the password. The user who sets up the provider could let it speak for anybody: it must not reach
 * above whom it was set up by, and an operator stands above every Mandant.
 */
export const needsPassword = (
  user: { rolle: string; betreiber: boolean },
  provider: { von_inhaber: boolean },
): boolean => user.betreiber || (user.rolle === 'inhaber' && !provider.von_inhaber);
