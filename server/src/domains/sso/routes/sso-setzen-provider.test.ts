/** Only what describes itself as a provider is taken for one. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { putSso, type SsoService, startSsoWithProvider } from '#test/company-account.ts';
import type { OidcProvider } from '#test/oidc-provider.ts';

let service: SsoService;
let provider: OidcProvider;
let account: Account;
/** What another server of this machine answers to questions for its description. */
let answer: { status: number; body: string };
const other = createServer((_request, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
});
let elsewhere: string;
beforeAll(async () => {
  ({ service, provider } = await startSsoWithProvider());
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  account = await registerAccount(service);
});
afterAll(async () => {
  other.close();
  await service.stop();
});

const put = (payload: Record<string, unknown>) =>
  putSso(service, account, { client_id: 'zaehlwerk', ...payload });
const stored = () =>
  service.sql('SELECT issuer, aktiv FROM sso_anbieter WHERE mandant_id = $1', [account.mandantId]);

describe('PUT /v1/cockpit/mandant/sso', () => {
  it('takes a provider', async () => {
    expect((await put({ issuer: provider.issuer })).statusCode).toBe(200);
    expect(await stored()).toEqual([{ issuer: provider.issuer, aktiv: true }]);
  });

  it.each([
    ['no description', 404, '{}'],
    ['a page', 200, '<html>Guten Tag</html>'],
    ['another issuer', 200, JSON.stringify({ issuer: 'https://login.firma.example' })],
    ['no endpoints', 500, ''],
  ])('refuses an address with %s, and says nothing of what is there', async (_what, status, body) => {
    answer = { status, body };
    const refused = await put({ issuer: elsewhere });
    const error =
      'Unter dieser Adresse beschreibt sich kein OpenID-Anbieter, oder er ist nicht zu erreichen.';
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail).toEqual([
      {
        type: 'value_error',
        loc: ['body', 'issuer'],
        msg: `Value error, ${error}`,
        input: elsewhere,
        ctx: { error },
      },
    ]);
    expect(await stored()).toEqual([]);
  });

  it('refuses an address where nobody answers as one without a provider', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    silent.close();
    await once(silent, 'close');
    const refused = await put({ issuer: `http://127.0.0.1:${port}` });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail[0]).toMatchObject({ loc: ['body', 'issuer'] });
  });

  it('switches off, and saves the rest, while the provider is down; switching on asks it again', async () => {
    const issuer = elsewhere;
    const description = {
      issuer,
      authorization_endpoint: `${issuer}/a`,
      token_endpoint: `${issuer}/t`,
      jwks_uri: `${issuer}/k`,
    };
    answer = { status: 200, body: JSON.stringify(description) };
    expect((await put({ issuer })).statusCode).toBe(200);
    answer = { status: 503, body: '' };
    expect((await put({ issuer, name: 'Konto der Firma' })).statusCode).toBe(200);
    expect((await put({ issuer, aktiv: false })).statusCode).toBe(200);
    expect((await put({ issuer, aktiv: true })).statusCode).toBe(422);
    expect(await stored()).toEqual([{ issuer, aktiv: false }]);
    answer = { status: 200, body: JSON.stringify(description) };
    expect((await put({ issuer, aktiv: true })).statusCode).toBe(200);
  });

  it('asks out there so often and no more', async () => {
    answer = { status: 404, body: '' };
    const statuses: number[] = [];
    for (let times = 0; times < 62; times += 1) statuses.push((await put({ issuer: elsewhere })).statusCode);
    expect(statuses.slice(0, 60)).toEqual(Array(60).fill(422));
    expect(statuses.slice(60)).toEqual([429, 429]);
  });
});
