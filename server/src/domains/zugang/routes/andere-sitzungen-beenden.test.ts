import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser, cookieOf, logIn, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const endOthers = (headers: Record<string, string>) =>
  service.app.inject({ method: 'DELETE', url: '/v1/cockpit/sitzungen', headers });
const me = (cookie: string) => service.app.inject({ url: '/v1/ich', headers: { cookie } });

describe('DELETE /v1/cockpit/sitzungen', () => {
  it('ends all own sessions but the one that asks', async () => {
    const account = await registerAccount(service);
    const colleague = await addUser(service, account, 'verwalter');
    const others = [
      cookieOf(await logIn(service, account.email)),
      cookieOf(await logIn(service, account.email)),
    ];
    const answer = await endOthers({ cookie: account.cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ beendet: 2 });
    for (const cookie of others) expect((await me(cookie)).statusCode).toBe(401);
    for (const { cookie } of [account, colleague]) expect((await me(cookie)).statusCode).toBe(200);
    const rows = await service.sql(
      `SELECT akteur_id, nachher FROM pruefprotokoll WHERE aktion = 'sitzung.andere_beendet'`,
    );
    expect(rows).toEqual([{ akteur_id: account.benutzerId, nachher: { beendet: 2 } }]);
    expect((await endOthers({ cookie: account.cookie })).json()).toEqual({ beendet: 0 });
  });

  it('does not count what had ended by itself', async () => {
    const account = await registerAccount(service);
    await service.sql(
      `INSERT INTO sitzungen (mandant_id, hash, benutzer_id, zuletzt_am)
       VALUES ($1, '\\x00', $2, now() - interval '13 hours')`,
      [account.mandantId, account.benutzerId],
    );
    expect((await endOthers({ cookie: account.cookie })).json()).toEqual({ beendet: 0 });
  });

  it('is open to every role', async () => {
    const account = await registerAccount(service);
    const statuses = await statusByRole(service, account, async ({ cookie, email }) => {
      await logIn(service, email);
      const answer = await endOthers({ cookie });
      expect(answer.json()).toEqual({ beendet: 1 });
      return answer;
    });
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('wants a session, on its own page', async () => {
    const account = await registerAccount(service);
    expect((await endOthers({})).statusCode).toBe(401);
    const foreign = await endOthers({ cookie: account.cookie, origin: 'https://boese.example' });
    expect(foreign.statusCode).toBe(403);
  });
});
