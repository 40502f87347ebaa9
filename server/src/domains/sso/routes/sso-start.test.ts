import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addUser } from '#test/account.ts';
import {
  beginLogin,
  leadsTo,
  returnTo,
  type SsoService,
  setUpCompany,
  startSsoService,
} from '#test/company-account.ts';
import { type ForgingProvider, startForgingProvider } from '#test/forging-provider.ts';

const EMAIL = 'erika@firma.example';

let service: SsoService;
let provider: ForgingProvider;
beforeAll(async () => {
  service = await startSsoService();
  provider = await startForgingProvider();
  await setUpCompany(service, provider, 'firma.example');
});
beforeEach(() => {
  provider.forgery = {};
  provider.asked = [];
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});

const start = (email: string, target = service) =>
  target.app.inject({ url: '/v1/sso/start', query: { email } });

describe('GET /v1/sso/start', () => {
  it('sends the browser to the provider and remembers it by a cookie', async () => {
    const answer = await start(EMAIL);
    expect(answer.statusCode).toBe(200);
    const { origin, pathname, searchParams } = new URL(answer.json().adresse);
    expect(origin + pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'zaehlwerk',
      redirect_uri: service.redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      login_hint: EMAIL,
    });
    expect(answer.cookies).toEqual([
      {
        name: 'zw_sso',
        value: expect.stringMatching(/^[\w-]{43}$/),
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
        maxAge: 600,
      },
    ]);
  });

  it('stores hashes and sealed text, for ten minutes', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    await service.sql('DELETE FROM sso_vorgaenge');
    const { adresse, cookie } = await beginLogin(service, EMAIL);
    const [row] = await service.sql<Record<string, Buffer>>('SELECT * FROM sso_vorgaenge');
    const hash = (text: string) => createHash('sha256').update(text).digest();
    expect(row).toMatchObject({
      hash: hash(adresse.searchParams.get('state') as string),
      browser: hash(cookie.split('=')[1] as string),
      gueltig_bis: '2026-05-01T10:10:00Z',
    });
    const sealed = (row as { geheimnis: Buffer }).geheimnis;
    expect(sealed.toString('latin1')).not.toContain(adresse.searchParams.get('nonce'));
  });

  it('forgets logins that came to nothing', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    const { adresse, cookie } = await beginLogin(service, EMAIL);
    service.clock.set('2026-05-01T10:10:00.000Z');
    await beginLogin(service, EMAIL);
    expect(await service.sql('SELECT 1 FROM sso_vorgaenge')).toHaveLength(1);
    const url = new URL(`${service.redirectUri}?code=c&state=${adresse.searchParams.get('state')}`);
    expect(leadsTo(await returnTo(service, url, cookie))).toBe('/anmelden?fehler=sso_abgelaufen');
  });

  it('begins nothing by HEAD', async () => {
    const url = `/v1/sso/start?email=${EMAIL}`;
    const answer = await service.app.inject({ method: 'HEAD', url });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('answers by the domain, whether or not there is a user', async () => {
    const account = await setUpCompany(service, provider, 'zweite.example');
    const user = await addUser(service, account, 'betrachter');
    await service.sql('UPDATE benutzer SET email = $2 WHERE benutzer_id = $1', [
      user.benutzerId,
      'da@zweite.example',
    ]);
    for (const email of ['da@zweite.example', 'nicht-da@zweite.example'])
      expect((await start(email)).statusCode).toBe(200);
    const answer = await start(account.email);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().code).toBe('kein_firmenkonto');
  });

  it('answers 404 for other domains', async () => {
    for (const email of ['a@fremd.example', 'keine-adresse', 'a@unter.firma.example']) {
      const answer = await start(email);
      expect(answer.statusCode).toBe(404);
      expect(answer.json().code).toBe('kein_firmenkonto');
      expect(answer.cookies).toEqual([]);
    }
    expect(provider.asked).toEqual([]);
  });

  it('answers 502 when the provider does not answer, and does not say why', async () => {
    const { mandantId } = await setUpCompany(service, provider, 'stumm.example');
    // It was a provider when it was set up.
    await service.sql("UPDATE sso_anbieter SET issuer = 'http://127.0.0.1:1' WHERE mandant_id = $1", [
      mandantId,
    ]);
    const answer = await start('a@stumm.example');
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toEqual({
      code: 'anbieter_nicht_erreichbar',
      detail: 'Der SSO-Anbieter ist gerade nicht zu erreichen oder falsch eingerichtet.',
    });
  });

  it('binds the cookie to the host in production', async () => {
    const production = await startSsoService({
      NODE_ENV: 'production',
      BASE_URL: 'https://zaehlwerk.example',
    });
    try {
      await setUpCompany(production, provider, 'firma.example');
      const answer = await start(EMAIL, production);
      expect(answer.cookies[0]).toMatchObject({ name: '__Host-zw_sso', secure: true, path: '/' });
      expect(answer.cookies[0]).not.toHaveProperty('domain');
    } finally {
      await production.stop();
    }
  });

  it('wants an address', async () => {
    const answer = await service.app.inject({ url: '/v1/sso/start' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ type: 'missing', loc: ['query', 'email'] });
  });

  it('is limited per network', async () => {
    await start('a@fremd.example');
    await service.sql('UPDATE drosselung SET points = 1000');
    const answer = await start(EMAIL);
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(provider.asked).toEqual([]);
  });
});
