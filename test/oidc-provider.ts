/** A real OpenID provider on this machine; the one set as `visitor` signs in there without being asked. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export interface Visitor {
  sub: string;
  email?: string;
  email_verified?: boolean | undefined;
  name?: string;
}

export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who sits in front of the browser; null stops at the provider's login page. */
  visitor: Visitor | null;
  stop(): Promise<void>;
}

export interface OidcProviderOptions {
  redirectUri: string;
  /** Puts the address where many providers do, into the ID token; else it has to be asked for. */
  emailInIdToken?: boolean;
  /** How the client shows its secret. */
  authentication?: 'client_secret_basic' | 'client_secret_post' | 'none';
}

const CLIENT = 'zaehlwerk';
const SECRET = 'geheimnis-das-nur-die-beiden-kennen';
const SCOPE = 'openid email profile';

const clientOf = (options: OidcProviderOptions) => ({
  client_id: CLIENT,
  redirect_uris: [options.redirectUri],
  token_endpoint_auth_method: options.authentication ?? ('client_secret_basic' as const),
  ...(options.authentication === 'none' ? {} : { client_secret: SECRET }),
});

async function createProvider(
  issuer: string,
  options: OidcProviderOptions,
  state: { visitor: Visitor | null },
) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' };
  return new Provider(issuer, {
    clients: [clientOf(options)],
    jwks: { keys: [key] },
    cookies: { keys: ['schluessel-der-kekse'] },
    features: { devInteractions: { enabled: false } },
    conformIdTokenClaims: options.emailInIdToken === false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Grant: 60, Interaction: 60, Session: 60 },
    clientAuthMethods: [options.authentication ?? 'client_secret_basic'],
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...state.visitor, sub }) }),
    // Everything asked for is granted: the company's own application.
    async loadExistingGrant(ctx) {
      const accountId = ctx.oidc.session?.accountId;
      if (!accountId) return undefined;
      const grant = new ctx.oidc.provider.Grant({ clientId: CLIENT, accountId });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
  });
}

export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProvider> {
  const state: { visitor: Visitor | null } = { visitor: null };
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await createProvider(issuer, options, state);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    const result = state.visitor
      ? { login: { accountId: state.visitor.sub } }
      : { error: 'access_denied', error_description: 'the visitor went away' };
    return provider.interactionFinished(request, response, result);
  });
  return Object.assign(state, {
    issuer,
    clientId: CLIENT,
    clientSecret: SECRET,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
