import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, cookieOf, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const end = (id: string, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'DELETE', url: `/v1/cockpit/sitzungen/${id}`, headers });
const me = (cookie: string) => service.app.inject({ url: '/v1/ich', headers: { cookie } });

/** The id of the session a cookie stands for. */
async function idOf(cookie: string): Promise<string> {
  const answer = await service.app.inject({ url: '/v1/cockpit/sitzungen', headers: { cookie } });
  return answer.json().sitzungen.find((sitzung: { diese: boolean }) => sitzung.diese).sitzung_id;
}

describe('DELETE /v1/cockpit/sitzungen/{sitzung_id}', () => {
  it('ends one session and leaves the others alone', async () => {
    const agent = { 'user-agent': 'Telefon/1.0' };
    const [phone, laptop] = [
      cookieOf(await logIn(service, account.email, PASSWORT, agent)),
      cookieOf(await logIn(service, account.email)),
    ];
    const id = await idOf(phone);
    const answer = await end(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ beendet: 1 });
    expect((await me(phone)).statusCode).toBe(401);
    expect((await me(laptop)).statusCode).toBe(200);
    expect((await end(id)).statusCode).toBe(404);
    const rows = await service.sql(
      `SELECT objekt_id, objekt_name FROM pruefprotokoll WHERE aktion = 'sitzung.beendet'`,
    );
    expect(rows).toEqual([{ objekt_id: id, objekt_name: 'Telefon/1.0' }]);
  });

  it('ends the session that asks, too', async () => {
    const cookie = cookieOf(await logIn(service, account.email));
    expect((await end(await idOf(cookie), { cookie })).statusCode).toBe(200);
    expect((await me(cookie)).statusCode).toBe(401);
  });

  it('answers sessions of others like unknown ones, in the same Mandant and in another', async () => {
    const colleague = await addUser(service, account, 'betrachter');
    const foreign = await registerAccount(service);
    const unknown = await end(randomUUID());
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json().code).toBe('nicht_gefunden');
    for (const { cookie } of [colleague, foreign]) {
      const answer = await end(await idOf(cookie));
      expect(answer.statusCode).toBe(404);
      expect(answer.body).toBe(unknown.body);
      expect((await me(cookie)).statusCode).toBe(200);
    }
  });

  it('is open to every role', async () => {
    const statuses = await statusByRole(service, account, async ({ cookie, email }) =>
      end(await idOf(cookieOf(await logIn(service, email))), { cookie }),
    );
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('checks the id and wants a session, on its own page', async () => {
    const answer = await end('abc');
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['path', 'sitzung_id']);
    const id = await idOf(account.cookie);
    expect((await end(id, {})).statusCode).toBe(401);
    const foreign = await end(id, { cookie: account.cookie, 'sec-fetch-site': 'cross-site' });
    expect(foreign.statusCode).toBe(403);
    expect((await me(account.cookie)).statusCode).toBe(200);
  });
});
