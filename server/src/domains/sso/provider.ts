/**
 * Talking to the provider. The library follows the protocol; what is added here: every request goes through the guard
 * for addresses that users give, answers are read up to a limit, and the ID token must be signed with a public key that
 * the provider publishes, whatever the provider's description allows.
 */
import * as oidc from 'openid-client';
import type { ServiceContext } from '#platform/context.ts';
import { type Outbound, readAtMost } from '#platform/outbound.ts';
import type { Claims } from './rules.ts';

/** A provider as it was set up. */
export interface Provider {
  issuer: string;
  client_id: string;
  /** Null for a client without a secret. */
  client_secret: string | null;
}

/** What a login leaves here and must find again in the provider's answer. */
export interface LoginSecrets {
  state: string;
  nonce: string;
  /** PKCE. */
  verifier: string;
}

/** No answer at all; any other error says that the answer does not hold. */
class ProviderUnreachable extends Error {}

const TIMEOUT_SECONDS = 10;
const MAX_ANSWER = 256 * 1024;
const SCOPE = 'openid email profile';

/** Seconds the provider's clock may be ahead. */
const CLOCKS_DIFFER = 60;

/** Signatures that only the provider can make. With HS256 everybody who knows the client secret could. */
const PUBLIC_KEY_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

function guardedFetch(outbound: Outbound): oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    try {
      const answer = await outbound.fetch(url, {
        method,
        headers,
        body: body ? String(body) : null,
        ...(signal ? { signal } : {}),
      });
      const bytes = await readAtMost(answer, MAX_ANSWER);
      if (bytes === null) throw new Error('the answer is too long');
      return new Response(bytes.length > 0 ? new Uint8Array(bytes) : null, {
        status: answer.status,
        headers: [...answer.headers],
      });
    } catch (cause) {
      throw new ProviderUnreachable(`${new URL(url).host} cannot be reached`, { cause });
    }
  };
}

/** What the provider's description names and this service or the browser will go to. */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;

/** Refuses at once what connecting would refuse, before anybody types a password at the provider. */
function requireAllowed(found: oidc.ServerMetadata, { issuer }: Provider, outbound: Outbound): void {
  // The library makes an exception for issuers of many companies at once, which would let any of them in.
  if (new URL(found.issuer).href !== new URL(issuer).href)
    throw new Error('the provider describes itself as another issuer');
  for (const name of ENDPOINTS) {
    const problem = found[name] === undefined ? null : outbound.problemOf(found[name]);
    if (problem !== null) throw new ProviderUnreachable(`${name} must not be reached`);
  }
}

function authenticationOf(found: oidc.ServerMetadata, secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const methods = found.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(secret)
    : oidc.ClientSecretPost(secret);
}

type Request = Parameters<typeof oidc.discovery>[4];

async function describe(
  provider: Provider,
  outbound: Outbound,
  request: Request,
): Promise<oidc.ServerMetadata> {
  const { issuer, client_id } = provider;
  const found = await oidc.discovery(new URL(issuer), client_id, undefined, oidc.None(), request);
  const server: oidc.ServerMetadata = found.serverMetadata();
  requireAllowed(server, provider, outbound);
  const offered = server.id_token_signing_alg_values_supported ?? ['RS256'];
  return {
    ...server,
    id_token_signing_alg_values_supported: PUBLIC_KEY_ALGORITHMS.filter((name) => offered.includes(name)),
  };
}

/** How the library asks this provider. */
function requestTo({ issuer }: Provider, outbound: Outbound) {
  // An issuer without encryption was allowed when it was set up; one with it never leads to an endpoint without.
  const execute = new URL(issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  return { [oidc.customFetch]: guardedFetch(outbound), timeout: TIMEOUT_SECONDS, execute };
}

/** Throws when the issuer cannot be reached or does not describe itself as an OpenID provider. */
export async function requireDescribed({ outbound }: ServiceContext, provider: Provider): Promise<void> {
  await describe(provider, outbound, requestTo(provider, outbound));
}

async function connect({ outbound }: ServiceContext, provider: Provider): Promise<oidc.Configuration> {
  const request = requestTo(provider, outbound);
  const { [oidc.customFetch]: fetch, execute } = request;
  const server = await describe(provider, outbound, request);
  const authentication = authenticationOf(server, provider.client_secret);
  const config = new oidc.Configuration(server, provider.client_id, undefined, authentication);
  config[oidc.customFetch] = fetch;
  config.timeout = TIMEOUT_SECONDS;
  // Left to itself the library trusts the connection and does not look at the signature.
  for (const extension of [...execute, oidc.enableNonRepudiationChecks]) extension(config);
  return config;
}

/** The address the browser goes to. Throws when the provider cannot be reached or does not describe itself properly. */
export async function authorizationAddress(
  context: ServiceContext,
  provider: Provider,
  redirectUri: string,
  { state, nonce, verifier }: LoginSecrets,
  email: string,
): Promise<string> {
  const config = await connect(context, provider);
  return oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    login_hint: email,
  }).href;
}

/**
 * Exchanges the code for what the provider says of the user. `returned` is the address the browser came back to. Throws
 * when anything in the answers does not hold.
 */
export async function exchangeCode(
  context: ServiceContext,
  provider: Provider,
  returned: URL,
  { state, nonce, verifier }: LoginSecrets,
): Promise<Claims> {
  const config = await connect(context, provider);
  const tokens = await oidc.authorizationCodeGrant(config, returned, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('the provider sent no ID token');
  // The library looks at the end of the token's time only.
  if (claims.iat - context.clock.now().getTime() / 1000 > CLOCKS_DIFFER)
    throw new Error('the ID token was made in the future');
  if ('email' in claims || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  // Some providers put the address there only.
  const more = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
  return { ...more, iss: claims.iss, sub: claims.sub };
}

/** The first of the errors behind an error that is of a kind. */
const behind = (error: unknown): Error[] => (error instanceof Error ? [error, ...behind(error.cause)] : []);

export const isUnreachable = (error: unknown): boolean =>
  behind(error).some((cause) => cause instanceof ProviderUnreachable);

/** Why a provider's answer did not hold, for the log; what the answer holds itself stays out of it. */
export const reasonOf = (error: unknown): string =>
  behind(error)
    .filter((cause) => !(cause instanceof SyntaxError))
    .map(({ message }) => message)
    .join(': ');
