/** An OpenID provider that answers as a test wants: for answers that no real one gives. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

type Json = Record<string, unknown>;

/** What signs the ID token: its own key, and what an attacker may try instead. */
interface Keys {
  own: CryptoKey;
  /** Of nobody the provider knows. */
  foreign: CryptoKey;
  /** The published key as text, which an attacker has as well. */
  publicPem: string;
}

export interface Forgery {
  /** Replaces fields of the description. */
  description?: Json;
  /** Replaces claims of the ID token; undefined leaves one out. */
  claims?: Json;
  sign?: (claims: Json, keys: Keys) => Promise<string>;
  /** Answers the token request instead. */
  token?: (response: ServerResponse) => void;
}

export interface ForgingProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  forgery: Forgery;
  /** The nonce of the login that is to be answered. */
  nonce: string;
  /** Paths that were asked for. */
  asked: string[];
  stop(): Promise<void>;
}

const CLIENT = 'zaehlwerk';
const KEY_ID = 'k1';

export const signRs256 = (claims: Json, key: CryptoKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KEY_ID }).sign(key);

const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Without any signature. */
export const signNone = async (claims: Json): Promise<string> => `${part({ alg: 'none' })}.${part(claims)}.`;

/** With a text that both sides know. */
export const signHs256 = (claims: Json, secret: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: KEY_ID }).sign(Buffer.from(secret));

async function createKeys(): Promise<{ keys: Keys; jwks: Json }> {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  return {
    keys: { own: own.privateKey, foreign: foreign.privateKey, publicPem: await exportSPKI(own.publicKey) },
    jwks: { keys: [jwk] },
  };
}

const describe = (issuer: string): Json => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
});

function answerJson(response: ServerResponse, body: Json): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

async function answerToken(provider: ForgingProvider, keys: Keys, response: ServerResponse): Promise<void> {
  const { claims, sign, token } = provider.forgery;
  if (token) return token(response);
  const now = Math.floor(Date.now() / 1000);
  const usual = {
    iss: provider.issuer,
    aud: CLIENT,
    sub: 'erika',
    iat: now,
    exp: now + 60,
    nonce: provider.nonce,
    email: 'erika@firma.example',
    email_verified: true,
  };
  const id_token = await (sign ?? ((all) => signRs256(all, keys.own)))({ ...usual, ...claims }, keys);
  answerJson(response, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token });
}

export async function startForgingProvider(): Promise<ForgingProvider> {
  const { keys, jwks } = await createKeys();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider: ForgingProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: CLIENT,
    clientSecret: 'geheimnis-das-nur-die-beiden-kennen',
    forgery: {},
    nonce: '',
    asked: [],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const answers: Record<string, (response: ServerResponse) => unknown> = {
    '/.well-known/openid-configuration': (response) =>
      answerJson(response, { ...describe(provider.issuer), ...provider.forgery.description }),
    '/jwks': (response) => answerJson(response, jwks),
    '/token': (response) => answerToken(provider, keys, response),
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    provider.asked.push(path);
    const answer = answers[path];
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  return provider;
}
