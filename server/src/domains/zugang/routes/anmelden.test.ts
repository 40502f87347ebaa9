import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const derivations: { memory: number; passes: number; parallelism: number; tagLength: number }[] = [];
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const argon2: typeof crypto.argon2 = (algorithm, parameters, callback) => {
    const { memory, passes, parallelism, tagLength } = parameters;
    derivations.push({ memory, passes, parallelism, tagLength });
    crypto.argon2(algorithm, parameters, callback);
  };
  return { ...crypto, argon2 };
});

import { type Account, cookieOf, logIn, PASSWORT, registerAccount } from '../../../../test/account.ts';
import { startService, type TestService } from '../../../../test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const me = (cookie: string) => service.app.inject({ url: '/v1/ich', headers: { cookie } });

describe('POST /v1/anmelden', () => {
  it('signs in, in any case of the letters of the address', async () => {
    const answer = await logIn(service, account.email.toUpperCase());
    expect(answer.statusCode).toBe(200);
    expect(answer.json().benutzer.email).toBe(account.email);
    expect((await me(cookieOf(answer))).json()).toEqual(answer.json());
  });

  it('ignores a second-factor code of users who have none', async () => {
    const payload = { email: account.email, passwort: PASSWORT, code: '123456' };
    const answer = await service.app.inject({ method: 'POST', url: '/v1/anmelden', payload });
    expect(answer.statusCode).toBe(200);
  });

  it('answers an unknown address and a wrong password alike, after the same work', async () => {
    derivations.length = 0;
    const wrong = await logIn(service, account.email, 'falsches-passwort');
    const unknown = await logIn(service, 'niemand@example.org', 'falsches-passwort');
    expect(wrong.statusCode).toBe(401);
    expect(wrong.json().code).toBe('anmeldung_falsch');
    expect(unknown.statusCode).toBe(wrong.statusCode);
    expect(unknown.body).toBe(wrong.body);
    expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
    expect(wrong.cookies).toEqual([]);
    expect(derivations).toHaveLength(2);
    expect(derivations[1]).toEqual(derivations[0]);
  });

  it('refuses disabled users and users of cancelled accounts like unknown ones', async () => {
    const [disabled, cancelled] = [await registerAccount(service), await registerAccount(service)];
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [disabled.benutzerId]);
    await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [
      cancelled.mandantId,
    ]);
    for (const { email, cookie } of [disabled, cancelled]) {
      expect((await logIn(service, email)).json().code).toBe('anmeldung_falsch');
      expect((await me(cookie)).statusCode).toBe(401);
    }
  });

  it('starts a new session and ends the one the browser came with', async () => {
    const first = cookieOf(await logIn(service, account.email));
    const second = cookieOf(await logIn(service, account.email, PASSWORT, { cookie: first }));
    expect(second).not.toBe(first);
    expect((await me(first)).statusCode).toBe(401);
    expect((await me(second)).statusCode).toBe(200);
  });

  it('does not take over a token that was planted in the browser', async () => {
    const planted = `zw_sitzung=${'A'.repeat(43)}`;
    const answer = await logIn(service, account.email, PASSWORT, { cookie: planted });
    expect(cookieOf(answer)).not.toBe(planted);
    expect((await me(planted)).statusCode).toBe(401);
  });

  it('leaves other sessions of the user alone', async () => {
    const laptop = cookieOf(await logIn(service, account.email));
    await logIn(service, account.email);
    expect((await me(laptop)).statusCode).toBe(200);
  });

  it('removes what is left of expired sessions', async () => {
    const other = await registerAccount(service);
    await service.sql(
      `UPDATE sitzungen SET zuletzt_am = now() - interval '13 hours' WHERE benutzer_id = $1`,
      [other.benutzerId],
    );
    await logIn(service, other.email);
    const rows = await service.sql('SELECT 1 FROM sitzungen WHERE benutzer_id = $1', [other.benutzerId]);
    expect(rows).toHaveLength(1);
  });

  it('sets a cookie that scripts cannot read and foreign pages cannot send', async () => {
    const answer = await logIn(service, account.email);
    expect(answer.headers['set-cookie']).toMatch(
      /^zw_sitzung=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('slows down guessing at one account and leaves the others alone', async () => {
    const [victim, bystander] = [await registerAccount(service), await registerAccount(service)];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await logIn(service, victim.email, 'geraten-geraten')).statusCode).toBe(401);
    }
    const refused = await logIn(service, victim.email);
    expect(refused.statusCode).toBe(429);
    expect(refused.json().code).toBe('zu_viele_versuche');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await logIn(service, bystander.email)).statusCode).toBe(200);
  });

  it.each([
    [{ passwort: PASSWORT }, ['body', 'email']],
    [{ email: 'a@example.org' }, ['body', 'passwort']],
    [{ email: 1, passwort: PASSWORT }, ['body', 'email']],
  ])('checks its body: %j', async (payload, loc) => {
    const answer = await service.app.inject({ method: 'POST', url: '/v1/anmelden', payload });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(loc);
    expect(answer.body).not.toContain(PASSWORT);
  });

  it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://boese.example' }, { origin: 'null' }])(
    'refuses a foreign page: %j',
    async (headers) => {
      const answer = await logIn(service, account.email, PASSWORT, headers);
      expect(answer.statusCode).toBe(403);
      expect(answer.json().code).toBe('fremde_herkunft');
      expect(answer.cookies).toEqual([]);
    },
  );

  it('accepts its own page', async () => {
    const own = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:8080' };
    expect((await logIn(service, account.email, PASSWORT, own)).statusCode).toBe(200);
    expect((await logIn(service, account.email, PASSWORT, { origin: own.origin })).statusCode).toBe(200);
  });
});

describe('in production', () => {
  it('the cookie is bound to https and to this host', async () => {
    const production = await startService({ NODE_ENV: 'production' });
    try {
      const { cookie } = await registerAccount(production);
      expect(cookie).toMatch(/^__Host-zw_sitzung=/);
      const answer = await logIn(production, (await registerAccount(production)).email);
      expect(answer.headers['set-cookie']).toMatch(
        /^__Host-zw_sitzung=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect((await production.app.inject({ url: '/v1/ich', headers: { cookie } })).statusCode).toBe(200);
      const unprefixed = cookie.replace('__Host-', '');
      expect(
        (await production.app.inject({ url: '/v1/ich', headers: { cookie: unprefixed } })).statusCode,
      ).toBe(401);
    } finally {
      await production.stop();
    }
  });
});
