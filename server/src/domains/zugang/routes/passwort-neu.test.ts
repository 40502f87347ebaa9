import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, addUser, cookieOf, logIn, registerAccount } from '#test/account.ts';
import { GUESSABLE, tooEasy } from '#test/guessable.ts';
import { enableSecondFactor } from '#test/second-factor.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
let user: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
beforeEach(async () => {
  service.clock.set('2026-05-01T10:00:00.000Z');
  user = await addUser(service, account, 'betrachter');
});
afterAll(() => service.stop());

const NEU = 'ein-neues-passwort';
const askFor = async (email: string): Promise<string> => {
  const payload = { email };
  const answer = await service.app.inject({ method: 'POST', url: '/v1/passwort/vergessen', payload });
  return new URL(answer.json().link).searchParams.get('token') as string;
};
const renew = (payload: object, headers = {}) =>
  service.app.inject({ method: 'POST', url: '/v1/passwort/neu', headers, payload });
const me = (cookie: string) => service.app.inject({ url: '/v1/ich', headers: { cookie } });

describe('POST /v1/passwort/neu', () => {
  it('sets the password, ends all sessions and signs nobody in', async () => {
    const laptop = cookieOf(await logIn(service, user.email));
    const answer = await renew({ token: await askFor(user.email), passwort: NEU });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ geaendert: true });
    expect(answer.cookies.map(({ name }) => name)).toEqual(['zw_geraet']);
    for (const cookie of [user.cookie, laptop]) expect((await me(cookie)).statusCode).toBe(401);
    expect((await me(account.cookie)).statusCode).toBe(200);
    expect((await logIn(service, user.email)).statusCode).toBe(401);
    expect((await logIn(service, user.email, NEU)).statusCode).toBe(200);
    const [entry] = await service.sql(
      `SELECT akteur_id, nachher FROM pruefprotokoll WHERE aktion = 'passwort.zurueckgesetzt'`,
    );
    expect(entry).toEqual({ akteur_id: user.benutzerId, nachher: { beendete_sitzungen: 2 } });
  });

  it('takes a link once, also of several at once', async () => {
    const token = await askFor(user.email);
    const passwords = ['eins', 'zwei', 'drei'].map((name) => `neues-passwort-${name}`);
    const answers = await Promise.all(passwords.map((passwort) => renew({ token, passwort })));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 404, 404]);
    const winner = passwords[answers.findIndex((answer) => answer.statusCode === 200)] as string;
    expect((await logIn(service, user.email, winner)).statusCode).toBe(200);
    expect((await renew({ token, passwort: NEU })).statusCode).toBe(404);
  });

  it('answers used, expired and invented links alike', async () => {
    const used = await askFor(user.email);
    await renew({ token: used, passwort: NEU });
    const expired = await askFor(user.email);
    service.clock.set('2026-05-01T10:30:00.000Z');
    const answers = [];
    for (const token of [used, expired, 'A'.repeat(43), 'kurz-aber-lang-genug'])
      answers.push(await renew({ token, passwort: NEU }));
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json().code).toBe('link_ungueltig');
      expect(answer.body).toBe(answers[0]?.body);
    }
  });

  it('takes a link to the last moment', async () => {
    const token = await askFor(user.email);
    service.clock.set('2026-05-01T10:29:59.999Z');
    expect((await renew({ token, passwort: NEU })).statusCode).toBe(200);
  });

  it('keeps the second factor', async () => {
    await enableSecondFactor(service, user);
    await renew({ token: await askFor(user.email), passwort: NEU });
    const answer = await logIn(service, user.email, NEU);
    expect(answer.statusCode).toBe(401);
    expect(answer.json().code).toBe('code_noetig');
  });

  it.each([
    ['disabled users', 'UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1'],
    [
      'cancelled accounts',
      `UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = (SELECT mandant_id FROM benutzer WHERE benutzer_id = $1)`,
    ],
  ])('is of no use to %s', async (_who, sql) => {
    const other = await registerAccount(service);
    const token = await askFor(other.email);
    await service.sql(sql, [other.benutzerId]);
    expect((await renew({ token, passwort: NEU })).statusCode).toBe(404);
  });

  it('lets in whose account somebody else has been guessing at', async () => {
    for (let attempt = 0; attempt < 11; attempt += 1) await logIn(service, user.email, 'geraten-geraten');
    expect((await logIn(service, user.email)).statusCode).toBe(429);
    await renew({ token: await askFor(user.email), passwort: NEU });
    expect((await logIn(service, user.email, NEU)).statusCode).toBe(200);
  });

  it('refuses a password that is easy to guess, and the link still holds', async () => {
    const token = await askFor(user.email);
    for (const passwort of [...GUESSABLE, user.email, 'Muster GmbH 2026']) {
      const answer = await renew({ token, passwort });
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toEqual(tooEasy('passwort'));
    }
    expect((await me(user.cookie)).statusCode).toBe(200);
    expect((await renew({ token, passwort: NEU })).statusCode).toBe(200);
  });

  it('says nothing about passwords to a link that does not hold', async () => {
    const answer = await renew({ token: 'A'.repeat(43), passwort: '1234567890' });
    expect(answer.json().code).toBe('link_ungueltig');
  });

  it.each([
    [{ token: 'zu-kurz', passwort: NEU }, 'token'],
    [{ token: 'A'.repeat(43), passwort: 'zu kurz' }, 'passwort'],
    [{ passwort: NEU }, 'token'],
  ])('checks its body: %j', async (payload, field) => {
    const answer = await renew(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', field]);
    expect(answer.body).not.toContain(NEU);
  });

  it('refuses a foreign page', async () => {
    const token = await askFor(user.email);
    const answer = await renew({ token, passwort: NEU }, { origin: 'https://boese.example' });
    expect(answer.statusCode).toBe(403);
    expect((await logIn(service, user.email)).statusCode).toBe(200);
  });
});
