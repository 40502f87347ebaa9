import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

async function invite({ cookie }: Account, rolle = 'betrachter'): Promise<{ id: string; link: string }> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/benutzer/einladen',
    headers: { cookie },
    payload: { email: `${randomUUID()}@example.org`, rolle },
  });
  const { einladung_id, link } = answer.json();
  return { id: einladung_id, link };
}

const withdraw = (id: string, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'DELETE', url: `/v1/cockpit/benutzer/einladungen/${id}`, headers });

const read = async (link: string) =>
  (await service.app.inject({ url: link.replace(/^.*(?=\/einladung)/, '/v1') })).statusCode;

describe('DELETE /v1/cockpit/benutzer/einladungen/{einladung_id}', () => {
  it('ends the link, once', async () => {
    const { id, link } = await invite(account, 'bearbeiter');
    expect(await read(link)).toBe(200);
    const answer = await withdraw(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ zurueckgezogen: true });
    expect(await read(link)).toBe(404);
    expect((await withdraw(id)).statusCode).toBe(404);
    const entries = await service.sql(
      `SELECT akteur_id, vorher FROM pruefprotokoll WHERE aktion = 'einladung.zurueckgezogen' AND objekt_id = $1`,
      [id],
    );
    expect(entries).toEqual([{ akteur_id: account.benutzerId, vorher: { rolle: 'bearbeiter' } }]);
  });

  it('answers a foreign invitation like one that does not exist, and leaves it alone', async () => {
    const foreign = await invite(await registerAccount(service));
    const [answer, unknown] = [await withdraw(foreign.id), await withdraw(randomUUID())];
    expect(answer.statusCode).toBe(404);
    expect(answer.json().code).toBe('nicht_gefunden');
    expect(answer.body).toBe(unknown.body);
    expect(await read(foreign.link)).toBe(200);
  });

  it('keeps a verwalter from the invitation of an inhaber', async () => {
    const { cookie } = await addUser(service, account, 'verwalter');
    const { id, link } = await invite(account, 'inhaber');
    expect((await withdraw(id, { cookie })).statusCode).toBe(403);
    expect(await read(link)).toBe(200);
  });

  it('checks the id', async () => {
    const answer = await withdraw('abc');
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['path', 'einladung_id']);
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, async ({ cookie }) =>
      withdraw((await invite(account)).id, { cookie }),
    );
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await withdraw(randomUUID(), {})).statusCode).toBe(401);
  });
});
