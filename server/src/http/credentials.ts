/** Reads credentials from a request, resolves them and checks what the operation asks for. */
import type { FastifyRequest } from 'fastify';
import type { Operation } from '#contracts';
import { forbidden, unauthorized } from '#kernel/errors.ts';
import type { Authenticator, KeyPrincipal, SessionPrincipal } from '#platform/principal.ts';
import { createSessionCookie } from './cookie.ts';
import { HttpError } from './errors.ts';

const badKey = () =>
  new HttpError(
    401,
    'schluessel_ungueltig',
    { de: 'Der Schlüssel fehlt oder gilt nicht.', en: 'The key is missing or not valid.' },
    {
      'www-authenticate': 'Bearer realm="zaehlwerk"',
    },
  );
const noSession = () =>
  unauthorized('nicht_angemeldet', { de: 'Bitte melden Sie sich an.', en: 'Please sign in.' });

/** Of the two words of `Basic` the one that looks like a key: other services have one of each kind. */
function fromBasic(authorization: string): string | null {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
  const words = [password.join(':'), user].filter((word) => word !== '');
  return words.find((word) => word.startsWith('zw_')) ?? words[0] ?? null;
}

/** The headers besides `Authorization` in which an operation takes the key. */
function headersOf({ access }: Operation): string[] {
  if (access.kind === 'any-key') return ['x-svc-key'];
  return access.kind === 'key' && access.foreign ? ['x-svc-key', 'x-api-key'] : [];
}

/** The secret after `Bearer`, or where else the operation takes it. */
function readKey(request: FastifyRequest, operation: Operation): string | null {
  const authorization = request.headers.authorization ?? '';
  const match = /^Bearer +(\S+)$/i.exec(authorization);
  if (match?.[1]) return match[1];
  const { access } = operation;
  const basic = access.kind === 'key' && access.foreign ? fromBasic(authorization) : null;
  if (basic !== null) return basic;
  const values = headersOf(operation).map((name) => request.headers[name]);
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? null;
}

/**
 * A browser sends a foreign page's request with our cookie; it also says where the request comes from. Programs that
 * send neither header are no browsers and carry no cookie they were not given.
 */
function requireSameOrigin(request: FastifyRequest, baseUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin') return;
    throw new HttpError(403, 'fremde_herkunft', {
      de: 'Die Anfrage kommt von einer fremden Seite.',
      en: 'The request comes from a page of another origin.',
    });
  }
  const origin = request.headers.origin;
  if (origin === undefined) return;
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  if (host !== null && (host === request.headers.host || host === new URL(baseUrl).host)) return;
  throw new HttpError(403, 'fremde_herkunft', {
    de: 'Die Anfrage kommt von einer fremden Seite.',
    en: 'The request comes from a page of another origin.',
  });
}

async function authorizeKey(
  request: FastifyRequest,
  operation: Operation,
  authenticator: Authenticator,
): Promise<KeyPrincipal> {
  const secret = readKey(request, operation);
  const principal = secret === null ? null : await authenticator.key(secret);
  if (!principal) throw badKey();
  if (operation.access.kind === 'key' && !principal.bereiche.includes(operation.access.scope)) {
    throw new HttpError(403, 'bereich_fehlt', {
      de: `Dem Schlüssel fehlt der Bereich „${operation.access.scope}“.`,
      en: `The key lacks the scope “${operation.access.scope}”.`,
    });
  }
  return principal;
}

async function authorizeSession(
  token: string | null,
  { access }: Operation,
  authenticator: Authenticator,
  production: boolean,
): Promise<SessionPrincipal> {
  const principal = token ? await authenticator.session(token) : null;
  if (!principal) throw noSession();
  if (access.kind === 'session' && !principal.rechte.includes(access.right)) throw forbidden();
  if (access.kind === 'operator') requireOperator(principal, production);
  return principal;
}

/** Throws 403 for everybody but an operator, whose password alone is not enough in production. */
function requireOperator({ betreiber, zweiterFaktor }: SessionPrincipal, production: boolean): void {
  if (!betreiber) throw forbidden();
  if (production && !zweiterFaktor)
    throw new HttpError(403, 'zweiter_faktor_noetig', {
      de: 'Als Betreiber brauchen Sie dafür einen zweiten Faktor.',
      en: 'As an operator you need a second factor for this.',
    });
}

/** Who calls; throws 401 or 403. Public operations have nobody. */
export async function authorize(
  request: FastifyRequest,
  operation: Operation,
  authenticator: Authenticator,
  options: { production: boolean; baseUrl: () => string },
): Promise<KeyPrincipal | SessionPrincipal | null> {
  const { kind } = operation.access;
  if (kind === 'key' || kind === 'any-key') return authorizeKey(request, operation, authenticator);
  requireSameOrigin(request, options.baseUrl());
  if (kind === 'public') return null;
  const { production } = options;
  const token = createSessionCookie(production).read(request);
  return authorizeSession(token, operation, authenticator, production);
}
