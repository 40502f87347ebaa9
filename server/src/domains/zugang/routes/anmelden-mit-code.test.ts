import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Account, cookieOf, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { codeFor, enableSecondFactor, timeOfDistinctCodes, wrongCodeFor } from '#test/second-factor.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
let seed: string;
let codes: string[];
let instant = Date.parse('2026-05-01T10:00:00Z');

beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  // Further on each time: the code of the confirmation is used up.
  instant += 3_600_000;
  service.clock.set(new Date(instant).toISOString());
  account = await registerAccount(service);
  ({ seed, codes } = await enableSecondFactor(service, account));
  service.clock.set(timeOfDistinctCodes(seed, new Date(instant + 300_000)).toISOString());
});
afterAll(() => service.stop());

const attempt = (code?: string, passwort = PASSWORT) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/anmelden',
    payload: { email: account.email, passwort, ...(code === undefined ? {} : { code }) },
  });
const now = () => service.clock.now();
const statuses = async (attempts: ReturnType<typeof attempt>[]) =>
  (await Promise.all(attempts)).map((answer) => answer.statusCode).sort();

describe('POST /v1/anmelden with a second factor', () => {
  it('asks for the code, but only after the right password', async () => {
    for (const code of [undefined, '', ' - ']) {
      const answer = await attempt(code);
      expect(answer.statusCode).toBe(401);
      expect(answer.json().code).toBe('code_noetig');
      expect(answer.cookies).toEqual([]);
    }
    const wrong = await attempt(codeFor(seed, now()), 'falsches-passwort');
    expect(wrong.json().code).toBe('anmeldung_falsch');
  });

  it.each([0, -1, 1])('takes a code %i steps away', async (steps) => {
    const answer = await attempt(codeFor(seed, now(), steps));
    expect(answer.statusCode).toBe(200);
    expect(answer.json().benutzer).toMatchObject({ zweiter_faktor: true, wiederherstellungscodes: 10 });
    const me = await service.app.inject({ url: '/v1/ich', headers: { cookie: cookieOf(answer) } });
    expect(me.json()).toEqual(answer.json());
  });

  it.each([-2, 2])('refuses a code %i steps away', async (steps) => {
    const answer = await attempt(codeFor(seed, now(), steps));
    expect(answer.statusCode).toBe(401);
    expect(answer.json().code).toBe('code_falsch');
    expect(answer.cookies).toEqual([]);
  });

  it('takes a code as it is read out, with a blank', async () => {
    const code = codeFor(seed, now());
    expect((await attempt(`${code.slice(0, 3)} ${code.slice(3)}`)).statusCode).toBe(200);
  });

  it('takes no code twice, nor one from before a used one', async () => {
    expect((await attempt(codeFor(seed, now()))).statusCode).toBe(200);
    expect((await attempt(codeFor(seed, now()))).json().code).toBe('code_falsch');
    expect((await attempt(codeFor(seed, now(), -1))).json().code).toBe('code_falsch');
    expect((await attempt(codeFor(seed, now(), 1))).statusCode).toBe(200);
  });

  it('takes the same code once of several at once', async () => {
    const code = codeFor(seed, now());
    expect(await statuses([attempt(code), attempt(code), attempt(code), attempt(code)])).toEqual([
      200, 401, 401, 401,
    ]);
  });

  it('takes each recovery code once, also of several at once and however it is typed', async () => {
    const [first, second] = codes as [string, string];
    const answer = await attempt(first);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().benutzer.wiederherstellungscodes).toBe(9);
    expect((await attempt(first)).json().code).toBe('code_falsch');
    const typed = ` ${second.slice(0, 4)}-${second.slice(4)}`.toLowerCase();
    expect(await statuses([attempt(typed), attempt(second), attempt(second)])).toEqual([200, 401, 401]);
  });

  it('takes no recovery code of somebody else', async () => {
    const other = await enableSecondFactor(service, await registerAccount(service));
    expect((await attempt(other.codes[0])).json().code).toBe('code_falsch');
  });

  it('stops guessing after five wrong codes, also with the right one, and asking without a code gives no new tries', async () => {
    const wrong = wrongCodeFor(seed, now());
    for (let index = 0; index < 5; index += 1) {
      expect((await attempt(wrong)).json().code).toBe('code_falsch');
      expect((await attempt()).json().code).toBe('code_noetig');
    }
    const refused = await attempt(codeFor(seed, now()));
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    expect(refused.cookies).toEqual([]);
  });

  it('does not count the question for the code as a failure', async () => {
    for (let index = 0; index < 12; index += 1) expect((await attempt()).json().code).toBe('code_noetig');
    expect((await attempt(codeFor(seed, now()))).statusCode).toBe(200);
  });

  it('does not ask for a code that was never confirmed', async () => {
    const other = await registerAccount(service);
    const headers = { cookie: other.cookie };
    await service.app.inject({ method: 'POST', url: '/v1/cockpit/2fa/einrichten', headers });
    expect((await logIn(service, other.email)).statusCode).toBe(200);
  });

  it('notes in the audit log with what somebody came in, and what failed', async () => {
    await attempt(codeFor(seed, now()));
    await attempt(codes[0]);
    await attempt(wrongCodeFor(seed, now()));
    await vi.waitFor(async () => {
      const rows = await service.sql(
        `SELECT akteur_art, aktion, nachher FROM pruefprotokoll
         WHERE mandant_id = $1 AND aktion LIKE 'anmeldung.%' ORDER BY eintrag_id`,
        [account.mandantId],
      );
      expect(rows).toMatchObject([
        { akteur_art: 'benutzer', aktion: 'anmeldung.erfolgreich', nachher: { mit: 'code' } },
        {
          akteur_art: 'benutzer',
          aktion: 'anmeldung.erfolgreich',
          nachher: { mit: 'wiederherstellungscode' },
        },
        { akteur_art: 'system', aktion: 'anmeldung.fehlgeschlagen', nachher: { woran: 'code' } },
      ]);
    }, PATIENCE);
  });
});
