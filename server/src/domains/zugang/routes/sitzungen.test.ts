import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser, cookieOf, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const list = (cookie: string) => service.app.inject({ url: '/v1/cockpit/sitzungen', headers: { cookie } });

describe('GET /v1/cockpit/sitzungen', () => {
  it('shows the own sessions, the latest login first, with where they come from', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    const account = await registerAccount(service);
    await addUser(service, account, 'betrachter');
    service.clock.set('2026-05-01T11:00:00.000Z');
    const phone = cookieOf(await logIn(service, account.email, PASSWORT, { 'user-agent': 'Telefon/1.0' }));
    const answer = await list(phone);
    expect(answer.statusCode).toBe(200);
    const [first, second] = answer.json().sitzungen;
    expect(answer.json()).toEqual({
      sitzungen: [
        {
          sitzung_id: expect.any(String),
          diese: true,
          adresse: '127.0.0.1',
          geraet: 'Telefon/1.0',
          erstellt_am: '2026-05-01T11:00:00.000Z',
          zuletzt_am: '2026-05-01T11:00:00.000Z',
        },
        {
          sitzung_id: expect.any(String),
          diese: false,
          adresse: '127.0.0.1',
          geraet: expect.any(String),
          erstellt_am: '2026-05-01T10:00:00.000Z',
          zuletzt_am: '2026-05-01T10:00:00.000Z',
        },
      ],
      weiter: null,
    });
    expect(first.sitzung_id).not.toBe(second.sitzung_id);
    expect(answer.body).not.toContain(phone.split('=')[1]);
  });

  it('leaves out what cannot be used any more', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    const account = await registerAccount(service);
    service.clock.set('2026-05-01T22:00:00.000Z');
    const fresh = cookieOf(await logIn(service, account.email));
    await service.sql(
      `INSERT INTO sitzungen (mandant_id, hash, benutzer_id, erstellt_am, zuletzt_am)
       VALUES ($1, '\\x00', $2, '2026-05-01T09:00:00Z', '2026-05-01T10:00:00Z')`,
      [account.mandantId, account.benutzerId],
    );
    expect((await list(fresh)).json().sitzungen).toHaveLength(1);
  });

  it('is open to every role', async () => {
    const account = await registerAccount(service);
    const statuses = await statusByRole(service, account, async ({ cookie }) => {
      const answer = await list(cookie);
      expect(answer.json().sitzungen).toHaveLength(1);
      return answer;
    });
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('wants a session', async () => {
    expect((await list('zw_sitzung=abc')).statusCode).toBe(401);
  });
});
