/** Answers no honest provider gives: each is refused for its own reason, and nobody is signed in. */

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '#test/account.ts';
import {
  beginLogin,
  leadsTo,
  returnTo,
  type SsoService,
  sessionOf,
  setUpCompany,
  startSsoService,
} from '#test/company-account.ts';
import {
  type Forgery,
  type ForgingProvider,
  signHs256,
  signNone,
  signRs256,
  startForgingProvider,
} from '#test/forging-provider.ts';

const EMAIL = 'erika@firma.example';

let service: SsoService;
let provider: ForgingProvider;
let account: Account;
beforeAll(async () => {
  // The provider's own address, and none beside it.
  service = await startSsoService({ ERLAUBTE_NETZE: '127.0.0.1/32' });
  provider = await startForgingProvider();
  account = await setUpCompany(service, provider, 'firma.example');
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});
beforeEach(() => {
  provider.forgery = {};
  provider.asked = [];
});

/** A login up to the return from the provider, which adds `answer` to the address. */
async function logIn(answer: Record<string, string> = {}) {
  const { adresse, cookie } = await beginLogin(service, EMAIL);
  provider.nonce = adresse.searchParams.get('nonce') as string;
  const url = new URL(service.redirectUri);
  const state = adresse.searchParams.get('state') as string;
  for (const [name, value] of Object.entries({ code: 'c', state, ...answer }))
    url.searchParams.set(name, value);
  return returnTo(service, url, cookie);
}

/** Expects that nobody is signed in or made, and that the log says why. */
async function expectRefused(
  forgery: Forgery,
  reason: RegExp,
  {
    fehler = 'sso_antwort_ungueltig',
    answer = {},
  }: { fehler?: string; answer?: Record<string, string> } = {},
) {
  const warn = vi.spyOn(service.context.log, 'warn');
  try {
    provider.forgery = forgery;
    const returned = await logIn(answer);
    expect(leadsTo(returned)).toBe(`/anmelden?fehler=${fehler}`);
    expect(sessionOf(returned)).toBeUndefined();
    expect(warn.mock.calls).toEqual([
      [{ code: fehler, reason: expect.stringMatching(reason) }, expect.any(String)],
    ]);
    expect(JSON.stringify(warn.mock.calls)).not.toMatch(/eyJ|geheimnis/);
  } finally {
    warn.mockRestore();
  }
  expect(await service.sql('SELECT 1 FROM benutzer WHERE mandant_id = $1', [account.mandantId])).toHaveLength(
    1,
  );
  expect(await service.sql('SELECT 1 FROM sso_identitaeten')).toEqual([]);
}

describe('the ID token is refused', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['of another issuer', { iss: 'https://anderswo.example' }, /"iss" \(issuer\) claim value/],
    ['for another client', { aud: 'jemand-anders' }, /"aud" \(audience\) claim value/],
    ['for several clients, handed to another', { aud: ['zaehlwerk', 'x'], azp: 'x' }, /"azp"/],
    ['with another nonce', { nonce: 'anders' }, /"nonce" claim value/],
    ['without the nonce', { nonce: undefined }, /"nonce".* claim/],
    ['that is too old', { exp: 1_700_000_000 }, /expiration/],
    ['that was made in an hour', { iat: Math.floor(Date.now() / 1000) + 3_600 }, /made in the future/],
    ['that was made in two minutes', { iat: Math.floor(Date.now() / 1000) + 120 }, /made in the future/],
    ['that names nobody', { sub: undefined }, /"sub" \(subject\) claim/],
  ])('%s', (_name, claims, reason) => expectRefused({ claims }, reason));

  it('but not for the clock of its provider, which may be a little ahead', async () => {
    provider.forgery = { claims: { iat: Math.floor(Date.now() / 1000) + 30, sub: undefined } };
    const warn = vi.spyOn(service.context.log, 'warn');
    try {
      await logIn();
      // It is refused for something else.
      expect(warn.mock.calls).toMatchObject([
        [{ reason: expect.stringMatching(/"sub"/) }, expect.any(String)],
      ]);
    } finally {
      warn.mockRestore();
    }
  });

  it('without a signature', () => expectRefused({ sign: signNone }, /"alg" header/));

  it('signed with the client’s secret', () =>
    expectRefused({ sign: (claims) => signHs256(claims, provider.clientSecret) }, /"alg" header/));

  it('signed with the published key as if it were a secret', () =>
    expectRefused({ sign: (claims, { publicPem }) => signHs256(claims, publicPem) }, /"alg" header/));

  it('so even when the provider offers nothing else', () =>
    expectRefused(
      {
        description: { id_token_signing_alg_values_supported: ['HS256', 'none'] },
        sign: (claims) => signHs256(claims, provider.clientSecret),
      },
      /"alg" header/,
    ));

  it('signed by somebody else', () =>
    expectRefused({ sign: (claims, { foreign }) => signRs256(claims, foreign) }, /signature/));

  it('changed after it was signed', () =>
    expectRefused(
      {
        async sign(claims, { own }) {
          const [head, , signature] = (await signRs256(claims, own)).split('.');
          const other = Buffer.from(JSON.stringify({ ...claims, email: 'chef@firma.example' }));
          return [head, other.toString('base64url'), signature].join('.');
        },
      },
      /signature/,
    ));

  it('when there is none', () =>
    expectRefused(
      {
        token: (response) =>
          response
            .setHeader('content-type', 'application/json')
            .end(JSON.stringify({ access_token: 'a', token_type: 'Bearer' })),
      },
      /id_token/,
    ));
});

describe('the address is refused', () => {
  it.each<[string, Record<string, unknown>]>([
    ['when it is not confirmed', { email_verified: false }],
    ['when it is confirmed by a text', { email_verified: 'true' }],
    ['when nothing is said of that', { email_verified: undefined }],
    ['when another system’s word is given for it', { email_verified: undefined, xms_edov: true }],
  ])('%s', (_name, claims) =>
    expectRefused({ claims }, /does not vouch/, { fehler: 'sso_email_unbestaetigt' }),
  );

  it.each([undefined, null, 7, ['erika@firma.example'], 'erika', `${'e'.repeat(250)}@firma.example`])(
    'when it is %j',
    (email) => expectRefused({ claims: { email } }, /names no address/, { fehler: 'sso_email_unbestaetigt' }),
  );

  it.each(['erika@firma.example.org', 'erika@unter.firma.example', 'erika@example'])('%s', (email) =>
    expectRefused({ claims: { email } }, email.endsWith('@example') ? /names no address/ : /is not proven/, {
      fehler: email.endsWith('@example') ? 'sso_email_unbestaetigt' : 'sso_domain_fremd',
    }),
  );
});

describe('the return is refused', () => {
  it('when it names another issuer', () =>
    expectRefused({}, /"iss" \(issuer\) response parameter/, {
      answer: { iss: 'https://anderswo.example' },
    }));

  it('when the provider always names itself, but did not', () =>
    expectRefused(
      { description: { authorization_response_iss_parameter_supported: true } },
      /"iss" \(issuer\) missing/,
    ));

  it('when the provider does not know the code', () =>
    expectRefused(
      {
        token: (response) =>
          response
            .writeHead(400, { 'content-type': 'application/json' })
            .end(JSON.stringify({ error: 'invalid_grant' })),
      },
      /error in the response body/,
    ));

  it('when the answer does not end', () =>
    expectRefused(
      {
        token: (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          const more = () => {
            while (!response.destroyed && response.write(' '.repeat(65_536)));
          };
          response.on('drain', more);
          more();
        },
      },
      /too long/,
      { fehler: 'sso_nicht_erreichbar' },
    ));
});

describe('the provider’s description does not lead into networks that are closed', () => {
  let inner: Server;
  let asked: string[] = [];
  beforeAll(async () => {
    inner = createServer((request, response: ServerResponse) => {
      asked.push(request.url ?? '');
      response.end('{}');
    });
    inner.listen(0, '127.0.0.2');
    await once(inner, 'listening');
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(async () => {
    inner.close();
    await once(inner, 'close');
  });
  const closed = () => `http://127.0.0.2:${(inner.address() as AddressInfo).port}`;

  it.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'by its %s, already before anybody goes there',
    async (name) => {
      provider.forgery = { description: { [name]: `${closed()}/x` } };
      const answer = await service.app.inject({ url: '/v1/sso/start', query: { email: EMAIL } });
      expect(answer.statusCode).toBe(502);
      expect(answer.json().code).toBe('anbieter_nicht_erreichbar');
      expect(answer.cookies).toEqual([]);
      expect(asked).toEqual([]);
    },
  );

  it.each(['token_endpoint', 'jwks_uri'])('by its %s when that changes during the login', async (name) => {
    const { adresse, cookie } = await beginLogin(service, EMAIL);
    provider.nonce = adresse.searchParams.get('nonce') as string;
    provider.forgery = { description: { [name]: `${closed()}/x` } };
    const url = new URL(service.redirectUri);
    url.search = new URLSearchParams({
      code: 'c',
      state: adresse.searchParams.get('state') as string,
    }).toString();
    const answer = await returnTo(service, url, cookie);
    expect(leadsTo(answer)).toBe('/anmelden?fehler=sso_nicht_erreichbar');
    expect(asked).toEqual([]);
  });

  it('when only connecting tells where an address leads', async () => {
    provider.forgery = { description: { token_endpoint: `${closed()}/x` } };
    vi.spyOn(service.context.outbound, 'problemOf').mockReturnValue(null);
    try {
      expect(leadsTo(await logIn())).toBe('/anmelden?fehler=sso_nicht_erreichbar');
    } finally {
      vi.restoreAllMocks();
    }
    expect(asked).toEqual([]);
  });

  it('by a redirect', () =>
    expectRefused(
      { token: (response) => response.writeHead(307, { location: `${closed()}/x` }).end() },
      /status code/,
    ).then(() => expect(asked).toEqual([])));
});

describe('the provider is not gone to', () => {
  it.each([
    ['when it describes itself as another issuer', { issuer: 'https://anderswo.example' }],
    ['when it says not where', { authorization_endpoint: undefined }],
    ['when that is no address', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('%s', async (_name, description) => {
    provider.forgery = { description };
    const answer = await service.app.inject({ url: '/v1/sso/start', query: { email: EMAIL } });
    expect(answer.statusCode).toBe(502);
    expect(answer.cookies).toEqual([]);
  });
});

it('signs in whom the same provider names properly', async () => {
  const answer = await logIn({ iss: provider.issuer });
  expect(leadsTo(answer)).toBe('/');
  expect(sessionOf(answer)).toBeDefined();
  expect(provider.asked.filter((path) => path === '/jwks')).toHaveLength(1);
});
