import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, cookieOf, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { codeFor, enableSecondFactor, secondFactorRequest, wrongCodeFor } from '#test/second-factor.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.000Z');
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const remove = (cookie: string, proof: { passwort?: string; code?: string | null } = {}) =>
  secondFactorRequest(service, cookie, '', { passwort: PASSWORT, ...proof });
/** The code of the half minute is used up by the set-up. */
const nextCode = (seed: string) => codeFor(seed, service.clock.now(), 1);
const me = (cookie: string) => service.app.inject({ url: '/v1/ich', headers: { cookie } });

describe('DELETE /v1/cockpit/2fa', () => {
  it('switches the second factor off: seed, recovery codes and the other sessions go', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const { seed, codes } = await enableSecondFactor(service, user);
    const laptop = cookieOf(
      await service.app.inject({
        method: 'POST',
        url: '/v1/anmelden',
        payload: { email: user.email, passwort: PASSWORT, code: codeFor(seed, service.clock.now(), 1) },
      }),
    );
    const answer = await remove(user.cookie, { code: codes[0] as string });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ zweiter_faktor: false });
    expect((await me(user.cookie)).json().benutzer).toMatchObject({
      zweiter_faktor: false,
      wiederherstellungscodes: 0,
    });
    expect((await me(laptop)).statusCode).toBe(401);
    expect((await logIn(service, user.email)).statusCode).toBe(200);
    const left = await service.sql('SELECT 1 FROM zweite_faktoren WHERE benutzer_id = $1', [user.benutzerId]);
    expect(left).toEqual([]);
    const [entry] = await service.sql(
      `SELECT akteur_id, vorher, nachher FROM pruefprotokoll WHERE aktion = 'zweiter_faktor.ausgeschaltet'`,
    );
    expect(entry).toEqual({
      akteur_id: user.benutzerId,
      vorher: { zweiter_faktor: true },
      nachher: { zweiter_faktor: false, beendete_sitzungen: 1 },
    });
  });

  it('wants the own password', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const { seed } = await enableSecondFactor(service, user);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await remove(user.cookie, { passwort: 'geraten-geraten', code: nextCode(seed) });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toEqual({ detail: expect.any(String), code: 'passwort_falsch' });
    }
    expect((await remove(user.cookie, { code: nextCode(seed) })).statusCode).toBe(429);
    expect((await me(user.cookie)).json().benutzer.zweiter_faktor).toBe(true);
  });

  it('wants a code as well, of the app or a recovery code', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const { seed } = await enableSecondFactor(service, user);
    for (const code of [undefined, null, '', ' - ']) {
      const answer = await remove(user.cookie, code === undefined ? {} : { code });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toEqual({ detail: expect.any(String), code: 'code_noetig' });
    }
    const used = codeFor(seed, service.clock.now());
    const other = (await enableSecondFactor(service, await addUser(service, account, 'bearbeiter'))).codes;
    for (const code of [used, wrongCodeFor(seed, service.clock.now()), other[0] as string]) {
      const answer = await remove(user.cookie, { code });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toEqual({ detail: expect.any(String), code: 'code_falsch' });
    }
    expect((await me(user.cookie)).json().benutzer.zweiter_faktor).toBe(true);
    expect((await remove(user.cookie, { code: nextCode(seed) })).statusCode).toBe(200);
  });

  it('stops after five wrong codes, and guesses at the login do not use them up', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const { seed, codes } = await enableSecondFactor(service, user);
    const code = wrongCodeFor(seed, service.clock.now());
    const login = { email: user.email, passwort: PASSWORT, code };
    for (let attempt = 0; attempt < 6; attempt += 1)
      await service.app.inject({ method: 'POST', url: '/v1/anmelden', payload: login });
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await remove(user.cookie, { code })).json().code).toBe('code_falsch');
    const refused = await remove(user.cookie, { code: codes[0] as string });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await me(user.cookie)).json().benutzer).toMatchObject({ zweiter_faktor: true });
  });

  it('answers 409 when there is none, or one that was never confirmed', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    expect((await remove(user.cookie)).json().code).toBe('zweiter_faktor_fehlt');
    await secondFactorRequest(service, user.cookie, '/einrichten');
    const answer = await remove(user.cookie);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('zweiter_faktor_fehlt');
  });

  it('sends users without a password to the reset link', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    await enableSecondFactor(service, user);
    await service.sql('UPDATE benutzer SET passwort_hash = NULL WHERE benutzer_id = $1', [user.benutzerId]);
    const answer = await remove(user.cookie);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('passwort_fehlt');
  });

  it('is open to every role', async () => {
    const statuses = await statusByRole(service, account, async (user) => {
      const { codes } = await enableSecondFactor(service, user);
      return remove(user.cookie, { code: codes[0] as string });
    });
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('checks its body and wants a session', async () => {
    const answer = await secondFactorRequest(service, account.cookie, '', { passwort: 7 });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', 'passwort']);
    expect((await remove('zw_sitzung=abc')).statusCode).toBe(401);
  });
});
