import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Account,
  addUser,
  cookieOf,
  createKey,
  logIn,
  PASSWORT,
  registerAccount,
} from '#test/account.ts';
import { GUESSABLE, tooEasy } from '#test/guessable.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { hashPassword } from '../password.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const NEU = 'ein-neues-passwort';
const change = (headers: Record<string, string>, payload: object = { alt: PASSWORT, neu: NEU }) =>
  service.app.inject({ method: 'PUT', url: '/v1/cockpit/passwort', headers, payload });
const me = (cookie: string) => service.app.inject({ url: '/v1/ich', headers: { cookie } });

describe('PUT /v1/cockpit/passwort', () => {
  it('changes the password and ends the other sessions', async () => {
    const user = await addUser(service, account, 'betrachter');
    const laptop = cookieOf(await logIn(service, user.email));
    const answer = await change({ cookie: user.cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ geaendert: true, beendete_sitzungen: 1 });
    expect((await me(user.cookie)).statusCode).toBe(200);
    expect((await me(laptop)).statusCode).toBe(401);
    expect((await me(account.cookie)).statusCode).toBe(200);
    expect((await logIn(service, user.email)).statusCode).toBe(401);
    expect((await logIn(service, user.email, NEU)).statusCode).toBe(200);
  });

  it('ends open reset links', async () => {
    const user = await addUser(service, account, 'betrachter');
    const payload = { email: user.email };
    const asked = await service.app.inject({ method: 'POST', url: '/v1/passwort/vergessen', payload });
    await change({ cookie: user.cookie });
    const token = new URL(asked.json().link).searchParams.get('token');
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/passwort/neu',
      payload: { token, passwort: 'noch-ein-passwort' },
    });
    expect(answer.statusCode).toBe(404);
  });

  it('is in the audit log, without any password', async () => {
    const user = await addUser(service, account, 'betrachter');
    await change({ cookie: user.cookie });
    const [entry] = await service.sql(
      `SELECT akteur_id, akteur_name, objekt_id, adresse, nachher FROM pruefprotokoll
       WHERE aktion = 'passwort.geaendert' ORDER BY eintrag_id DESC`,
    );
    expect(entry).toEqual({
      akteur_id: user.benutzerId,
      akteur_name: user.email,
      objekt_id: user.benutzerId,
      adresse: '127.0.0.1',
      nachher: { beendete_sitzungen: 0 },
    });
  });

  it('wants the old password, and stops guessing at it', async () => {
    const user = await addUser(service, account, 'betrachter');
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await change({ cookie: user.cookie }, { alt: 'geraten-geraten', neu: NEU });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toEqual({ detail: expect.any(String), code: 'passwort_falsch' });
    }
    const refused = await change({ cookie: user.cookie });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await logIn(service, user.email)).statusCode).toBe(200);
  });

  it('changes once of several at once with the same old password', async () => {
    const user = await addUser(service, account, 'betrachter');
    const answers = await Promise.all(
      ['eins', 'zwei', 'drei'].map((name) =>
        change({ cookie: user.cookie }, { alt: PASSWORT, neu: `neues-passwort-${name}` }),
      ),
    );
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 403, 403]);
  });

  it('sends users without a password to the reset link', async () => {
    const user = await addUser(service, account, 'betrachter');
    await service.sql('UPDATE benutzer SET passwort_hash = NULL WHERE benutzer_id = $1', [user.benutzerId]);
    const answer = await change({ cookie: user.cookie });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('passwort_fehlt');
    expect(answer.json().detail).toContain('Passwort vergessen');
  });

  it('is open to every role', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => change({ cookie }));
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('refuses a password that is easy to guess, and nothing changes', async () => {
    const user = await addUser(service, account, 'betrachter');
    for (const neu of [...GUESSABLE, 'Muster GmbH 2026']) {
      const answer = await change({ cookie: user.cookie }, { alt: PASSWORT, neu });
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toEqual(tooEasy('neu'));
      expect(answer.cookies).toEqual([]);
    }
    expect((await logIn(service, user.email)).statusCode).toBe(200);
  });

  it('takes the old password however easy to guess it is', async () => {
    const user = await addUser(service, account, 'betrachter');
    const old = await hashPassword('1234567890');
    await service.sql('UPDATE benutzer SET passwort_hash = $2 WHERE benutzer_id = $1', [
      user.benutzerId,
      old,
    ]);
    expect((await logIn(service, user.email, '1234567890')).statusCode).toBe(200);
    const answer = await change({ cookie: user.cookie }, { alt: '1234567890', neu: NEU });
    expect(answer.statusCode).toBe(200);
  });

  it.each([
    [{ neu: NEU }, 'alt'],
    [{ alt: PASSWORT, neu: 'zu kurz' }, 'neu'],
    [{ alt: PASSWORT, neu: 'x'.repeat(201) }, 'neu'],
  ])('checks its body: %j', async (payload, field) => {
    const answer = await change({ cookie: account.cookie }, payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', field]);
    expect(answer.body).not.toContain(PASSWORT);
  });

  it('wants a session, on its own page; a key is none', async () => {
    const { secret } = await createKey(service, account);
    for (const headers of [{}, { authorization: `Bearer ${secret}` }])
      expect((await change(headers as Record<string, string>)).statusCode).toBe(401);
    const foreign = await change({ cookie: account.cookie, 'sec-fetch-site': 'cross-site' });
    expect(foreign.statusCode).toBe(403);
    expect(foreign.json().code).toBe('fremde_herkunft');
  });
});
