import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Modules that an earlier file has loaded hold the function itself; a later file is not to get the one that records.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

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

import pg from 'pg';
import { type Account, cookieOf, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';
import { hashPassword } from '../password.ts';

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

  it('gives all who may not come in the same answer, to the byte, after the same work', async () => {
    const [disabled, cancelled, withoutPassword] = [
      await registerAccount(service),
      await registerAccount(service),
      await registerAccount(service),
    ];
    await service.sql('UPDATE benutzer SET passwort_hash = $1', [await hashPassword(PASSWORT)]);
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [disabled.benutzerId]);
    await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [
      cancelled.mandantId,
    ]);
    await service.sql('UPDATE benutzer SET passwort_hash = NULL WHERE benutzer_id = $1', [
      withoutPassword.benutzerId,
    ]);
    derivations.length = 0;
    const wrong = await logIn(service, account.email, 'falsches-passwort');
    expect(wrong.statusCode).toBe(401);
    expect(wrong.json().code).toBe('anmeldung_falsch');
    expect(wrong.cookies).toEqual([]);
    for (const email of ['niemand@example.org', disabled.email, cancelled.email, withoutPassword.email]) {
      const answer = await logIn(service, email);
      expect(answer.statusCode).toBe(wrong.statusCode);
      expect(answer.body).toBe(wrong.body);
      expect(Object.keys(answer.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
    }
    expect(derivations).toHaveLength(5);
    for (const derivation of derivations) expect(derivation).toEqual(derivations[0]);
    for (const { cookie } of [disabled, cancelled]) expect((await me(cookie)).statusCode).toBe(401);
  });

  it('lets nobody in whose password was changed while it was being checked', async () => {
    const other = await registerAccount(service);
    const change = new pg.Client(service.connection);
    await change.connect();
    try {
      await change.query('BEGIN');
      await change.query(`UPDATE benutzer SET passwort_hash = 'geändert' WHERE benutzer_id = $1`, [
        other.benutzerId,
      ]);
      const attempt = logIn(service, other.email);
      await vi.waitFor(async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(await service.sql(waiting)).toHaveLength(1);
      }, PATIENCE);
      await change.query('COMMIT');
      expect((await attempt).json().code).toBe('anmeldung_falsch');
    } finally {
      await change.end();
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

  it('removes the rest of expired sessions', async () => {
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
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^zw_sitzung=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('notes in the audit log who came in and what failed, ten failures a day of a user at most', async () => {
    const other = await registerAccount(service);
    await logIn(service, other.email, PASSWORT, { 'user-agent': 'Telefon/1.0' });
    for (let attempt = 0; attempt < 10; attempt += 1) await logIn(service, other.email, 'geraten-geraten');
    const entries = () =>
      service.sql(
        `SELECT akteur_art, akteur_id, aktion, objekt_id, adresse, nachher FROM pruefprotokoll
         WHERE mandant_id = $1 AND aktion LIKE 'anmeldung.%' ORDER BY eintrag_id`,
        [other.mandantId],
      );
    await vi.waitFor(async () => expect(await entries()).toHaveLength(11), PATIENCE);
    const rows = await entries();
    expect(rows[0]).toEqual({
      akteur_art: 'benutzer',
      akteur_id: other.benutzerId,
      aktion: 'anmeldung.erfolgreich',
      objekt_id: other.benutzerId,
      adresse: '127.0.0.1',
      nachher: { mit: 'passwort', geraet: 'Telefon/1.0' },
    });
    expect(rows[1]).toMatchObject({
      akteur_art: 'system',
      akteur_id: null,
      aktion: 'anmeldung.fehlgeschlagen',
      objekt_id: other.benutzerId,
      nachher: { woran: 'passwort' },
    });
    // The block over, guessing goes on; what was noted stays as it is.
    await service.sql('UPDATE drosselung SET expire = 0 WHERE expire < $1', [Date.now() + 3_600_000]);
    await logIn(service, other.email, 'geraten-geraten');
    await logIn(service, other.email);
    const last = async () => (await entries()).at(-1)?.aktion;
    await vi.waitFor(async () => expect(await last()).toBe('anmeldung.erfolgreich'), PATIENCE);
    expect(await entries()).toHaveLength(12);
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
      const payload = { firma: 'Muster GmbH', email: 'neu@example.org', passwort: PASSWORT };
      const cookie = cookieOf(
        await production.app.inject({ method: 'POST', url: '/v1/registrieren', payload }),
      );
      expect(cookie).toMatch(/^__Host-zw_sitzung=/);
      const answer = await logIn(production, (await registerAccount(production)).email);
      expect(answer.headers['set-cookie']?.[0]).toMatch(
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
