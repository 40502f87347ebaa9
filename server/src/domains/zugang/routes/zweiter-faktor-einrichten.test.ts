import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, cookieOf, createKey, logIn, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { codeFor, codesAround, enableSecondFactor, secondFactorRequest } from '#test/second-factor.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const begin = (cookie: string) => secondFactorRequest(service, cookie, '/einrichten');

describe('POST /v1/cockpit/2fa/einrichten', () => {
  it('hands out a seed for the app, which is not asked for yet', async () => {
    const answer = await begin(account.cookie);
    expect(answer.statusCode).toBe(200);
    const { geheimnis, otpauth_uri } = answer.json();
    expect(geheimnis).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(otpauth_uri).searchParams.get('secret')).toBe(geheimnis);
    expect(decodeURIComponent(otpauth_uri)).toContain(account.email);
    const me = await service.app.inject({ url: '/v1/ich', headers: { cookie: account.cookie } });
    expect(me.json().benutzer).toMatchObject({ zweiter_faktor: false, wiederherstellungscodes: 0 });
  });

  it('stores the seed sealed, and nowhere else', async () => {
    const { geheimnis } = (await begin(account.cookie)).json();
    const [row] = await service.sql<{ geheimnis: Buffer }>(
      'SELECT geheimnis FROM zweite_faktoren WHERE benutzer_id = $1',
      [account.benutzerId],
    );
    expect(row?.geheimnis.toString('latin1')).not.toContain(geheimnis);
    expect(service.context.secrets.open(row?.geheimnis as Buffer).toString()).toBe(geheimnis);
    const log = await service.sql('SELECT p::text FROM pruefprotokoll p');
    expect(JSON.stringify(log)).not.toContain(geheimnis);
    expect(JSON.stringify(log)).toContain('zweiter_faktor.begonnen');
  });

  it('begins anew when it was not confirmed: the earlier seed is worth nothing', async () => {
    const user = await addUser(service, account, 'betrachter');
    const first: string = (await begin(user.cookie)).json().geheimnis;
    const wrong = codeFor(first, service.clock.now());
    let second: string;
    // Of six digits now and then both are the same.
    do second = (await begin(user.cookie)).json().geheimnis;
    while (codesAround(second, service.clock.now()).includes(wrong));
    expect(second).not.toBe(first);
    const confirm = (code: string) => secondFactorRequest(service, user.cookie, '/bestaetigen', { code });
    expect((await confirm(wrong)).statusCode).toBe(403);
    expect((await confirm(codeFor(second, service.clock.now()))).statusCode).toBe(200);
  });

  it('leaves a confirmed one as it is', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    await enableSecondFactor(service, user);
    const stored = () =>
      service.sql('SELECT * FROM zweite_faktoren WHERE benutzer_id = $1', [user.benutzerId]);
    const before = await stored();
    const answer = await begin(user.cookie);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual({ detail: expect.any(String), code: 'zweiter_faktor_aktiv' });
    expect(await stored()).toEqual(before);
  });

  it('wants a login of the last ten minutes; signing in again is enough', async () => {
    const start = Date.parse('2026-05-01T10:00:00Z');
    service.clock.set(new Date(start).toISOString());
    const user = await addUser(service, account, 'bearbeiter');
    service.clock.set(new Date(start + 600_000).toISOString());
    expect((await begin(user.cookie)).statusCode).toBe(200);
    service.clock.set(new Date(start + 600_001).toISOString());
    const refused = await begin(user.cookie);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toEqual({ detail: expect.any(String), code: 'anmeldung_zu_alt' });
    const cookie = cookieOf(await logIn(service, user.email));
    expect((await begin(cookie)).statusCode).toBe(200);
    expect((await begin(user.cookie)).statusCode).toBe(403);
  });

  it('is open to every role', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => begin(cookie));
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('wants a session; a key is none', async () => {
    const { secret } = await createKey(service, account);
    const url = '/v1/cockpit/2fa/einrichten';
    for (const headers of [{}, { authorization: `Bearer ${secret}` }])
      expect((await service.app.inject({ method: 'POST', url, headers })).statusCode).toBe(401);
  });

  it('refuses a foreign page', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/2fa/einrichten',
      headers: { cookie: account.cookie, 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.statusCode).toBe(403);
  });
});
