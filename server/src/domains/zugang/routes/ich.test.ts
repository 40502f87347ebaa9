import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser, createKey, registerAccount } from '#test/account.ts';
import { enableSecondFactor } from '#test/second-factor.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const me = (headers: Record<string, string>) => service.app.inject({ url: '/v1/ich', headers });

const HOUR = 3_600_000;
const START = Date.parse('2026-06-01T06:00:00Z');
const setClock = (hours: number) => service.clock.set(new Date(START + hours * HOUR).toISOString());

describe('GET /v1/ich', () => {
  it('says who is signed in, in which role', async () => {
    const account = await registerAccount(service, 'Muster GmbH');
    const viewer = await addUser(service, account, 'betrachter');
    const answer = await me({ cookie: viewer.cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      benutzer: {
        benutzer_id: viewer.benutzerId,
        email: viewer.email,
        name: null,
        rolle: 'betrachter',
        email_bestaetigt: true,
        zweiter_faktor: false,
        wiederherstellungscodes: 0,
        sprache: null,
        zeitzone: null,
        passwort_gesetzt: true,
        betreiber: false,
      },
      mandant: {
        mandant_id: account.mandantId,
        firma: 'Muster GmbH',
        paket: 'frei',
        zeitzone: 'Europe/Berlin',
      },
      rechte: ['selbst', 'verbrauch.lesen', 'konto.lesen'],
      mailweg: 'log',
    });
  });

  it('says with what the user signs in, and whether the installation is in the user’s care', async () => {
    const account = await registerAccount(service);
    await enableSecondFactor(service, account);
    await service.sql('UPDATE benutzer SET passwort_hash = NULL WHERE benutzer_id = $1', [
      account.benutzerId,
    ]);
    await service.sql(
      'INSERT INTO betreiber SELECT mandant_id, benutzer_id FROM benutzer WHERE benutzer_id = $1',
      [account.benutzerId],
    );
    await service.sql(
      `UPDATE wiederherstellungscodes SET benutzt_am = now()
       WHERE hash = (SELECT hash FROM wiederherstellungscodes WHERE benutzer_id = $1 LIMIT 1)`,
      [account.benutzerId],
    );
    expect((await me({ cookie: account.cookie })).json().benutzer).toMatchObject({
      zweiter_faktor: true,
      wiederherstellungscodes: 9,
      passwort_gesetzt: false,
      betreiber: true,
    });
  });

  it('knows a changed role at the next request', async () => {
    const account = await registerAccount(service);
    const user = await addUser(service, account, 'verwalter');
    await service.sql(`UPDATE benutzer SET rolle = 'betrachter' WHERE benutzer_id = $1`, [user.benutzerId]);
    expect((await me({ cookie: user.cookie })).json().rechte).not.toContain('schluessel.verwalten');
  });

  it('wants a session; a key is none', async () => {
    const { secret } = await createKey(service, await registerAccount(service));
    for (const headers of [{}, { authorization: `Bearer ${secret}` }, { cookie: 'zw_sitzung=abc' }]) {
      const answer = await me(headers as Record<string, string>);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({ detail: 'Bitte melden Sie sich an.', code: 'nicht_angemeldet' });
    }
  });

  it('ends a session nobody used for twelve hours', async () => {
    setClock(0);
    const { cookie, benutzerId } = await registerAccount(service);
    setClock(11.9);
    expect((await me({ cookie })).statusCode).toBe(200);
    setClock(11.9 + 11.9);
    expect((await me({ cookie })).statusCode).toBe(200);
    setClock(11.9 + 11.9 + 12);
    expect((await me({ cookie })).statusCode).toBe(401);
    expect(await service.sql('SELECT 1 FROM sitzungen WHERE benutzer_id = $1', [benutzerId])).toEqual([]);
  });

  it('ends a session fourteen days after its login, however busy it is', async () => {
    setClock(0);
    const { cookie } = await registerAccount(service);
    for (let hours = 10; hours < 14 * 24; hours += 10) {
      setClock(hours);
      expect((await me({ cookie })).statusCode).toBe(200);
    }
    setClock(14 * 24);
    expect((await me({ cookie })).statusCode).toBe(401);
  });

  it('writes the last use at most once a minute', async () => {
    const lastUse = async (benutzerId: string) =>
      (await service.sql('SELECT zuletzt_am FROM sitzungen WHERE benutzer_id = $1', [benutzerId]))[0]
        ?.zuletzt_am;
    service.clock.set('2026-06-01T06:00:00.000Z');
    const { cookie, benutzerId } = await registerAccount(service);
    service.clock.set('2026-06-01T06:00:59.000Z');
    await me({ cookie });
    expect(await lastUse(benutzerId)).toBe('2026-06-01T06:00:00Z');
    service.clock.set('2026-06-01T06:01:00.000Z');
    await me({ cookie });
    expect(await lastUse(benutzerId)).toBe('2026-06-01T06:01:00Z');
  });
});
