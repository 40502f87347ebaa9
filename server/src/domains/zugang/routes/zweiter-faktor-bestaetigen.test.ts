import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, cookieOf, logIn, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { codeFor, secondFactorRequest, wrongCodeFor } from '#test/second-factor.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.000Z');
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const now = () => service.clock.now();
const begin = async (user: Account): Promise<string> =>
  (await secondFactorRequest(service, user.cookie, '/einrichten')).json().geheimnis;
const confirm = (user: Account, code: string) =>
  secondFactorRequest(service, user.cookie, '/bestaetigen', { code });
const me = (cookie: string) => service.app.inject({ url: '/v1/ich', headers: { cookie } });

describe('POST /v1/cockpit/2fa/bestaetigen', () => {
  it('switches the second factor on and shows the recovery codes this once', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const answer = await confirm(user, codeFor(await begin(user), now()));
    expect(answer.statusCode).toBe(200);
    const { wiederherstellungscodes, beendete_sitzungen } = answer.json();
    expect(wiederherstellungscodes).toHaveLength(10);
    expect(beendete_sitzungen).toBe(0);
    // What was known of the session before is good for nothing any more: it has more rights from now on.
    expect((await me(user.cookie)).statusCode).toBe(401);
    expect((await me(cookieOf(answer))).json().benutzer).toMatchObject({
      zweiter_faktor: true,
      wiederherstellungscodes: 10,
    });
    const stored = JSON.stringify(
      await service.sql(
        `SELECT p::text FROM pruefprotokoll p UNION ALL SELECT encode(hash, 'escape') FROM wiederherstellungscodes`,
      ),
    );
    for (const code of wiederherstellungscodes) expect(stored).not.toContain(code);
    expect(stored).toContain('zweiter_faktor.eingeschaltet');
  });

  it('uses up the code: it does not sign in any more', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const code = codeFor(await begin(user), now());
    await confirm(user, code);
    const payload = { email: user.email, passwort: 'richtig-lang-genug', code };
    const answer = await service.app.inject({ method: 'POST', url: '/v1/anmelden', payload });
    expect(answer.json().code).toBe('code_falsch');
  });

  it('ends the other sessions, which were opened with less', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const laptop = cookieOf(await logIn(service, user.email));
    const answer = await confirm(user, codeFor(await begin(user), now()));
    expect(answer.json().beendete_sitzungen).toBe(1);
    expect((await me(laptop)).statusCode).toBe(401);
    expect((await me(cookieOf(answer))).statusCode).toBe(200);
  });

  it('switches on once of several at once', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const code = codeFor(await begin(user), now());
    const answers = await Promise.all([confirm(user, code), confirm(user, code), confirm(user, code)]);
    const [done] = answers.filter(({ statusCode }) => statusCode === 200);
    // Who comes after it comes with a token that is none any more.
    const others = answers.filter((answer) => answer !== done).map(({ statusCode }) => statusCode);
    expect(others.every((status) => status === 409 || status === 401)).toBe(true);
    expect((await me(cookieOf(done as never))).json().benutzer.wiederherstellungscodes).toBe(10);
  });

  it('refuses wrong codes, and after five of them the right one', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const seed = await begin(user);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const answer = await confirm(user, wrongCodeFor(seed, now()));
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toEqual({ detail: expect.any(String), code: 'code_falsch' });
    }
    const refused = await confirm(user, codeFor(seed, now()));
    expect(refused.statusCode).toBe(429);
    expect((await me(user.cookie)).json().benutzer.zweiter_faktor).toBe(false);
  });

  it('takes six characters that are no digits for a wrong code', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    await begin(user);
    const answer = await confirm(user, 'ÄÖÜÄÖÜ');
    expect(answer.statusCode).toBe(403);
    expect(answer.json().code).toBe('code_falsch');
  });

  it('answers 409 when nothing was begun, or it is on already', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    const early = await confirm(user, '123456');
    expect(early.statusCode).toBe(409);
    expect(early.json().code).toBe('zweiter_faktor_nicht_begonnen');
    const seed = await begin(user);
    user.cookie = cookieOf(await confirm(user, codeFor(seed, now())));
    const late = await confirm(user, codeFor(seed, now(), 1));
    expect(late.statusCode).toBe(409);
    expect(late.json().code).toBe('zweiter_faktor_aktiv');
  });

  it('is open to every role', async () => {
    const statuses = await statusByRole(service, account, async (user) =>
      confirm(user, codeFor(await begin(user), now())),
    );
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it.each([
    [{}, ['body', 'code']],
    [{ code: '12345' }, ['body', 'code']],
    [{ code: '123456789' }, ['body', 'code']],
    [{ code: 123456 }, ['body', 'code']],
  ])('checks its body: %j', async (payload, loc) => {
    const answer = await secondFactorRequest(service, account.cookie, '/bestaetigen', payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(loc);
  });

  it('wants a session', async () => {
    expect((await secondFactorRequest(service, 'zw_sitzung=abc', '/bestaetigen', {})).statusCode).toBe(401);
  });
});
