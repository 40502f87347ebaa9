import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, logIn, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const remove = (id: string, user: Account | null = account) =>
  service.app.inject({
    method: 'DELETE',
    url: `/v1/cockpit/benutzer/${id}`,
    headers: user ? { cookie: user.cookie } : {},
  });

const get = (url: string, { cookie }: Account) => service.app.inject({ url, headers: { cookie } });
const statusOf = async (user: Account) => (await get('/v1/ich', user)).statusCode;

describe('DELETE /v1/cockpit/benutzer/{benutzer_id}', () => {
  it('removes the user with sessions and second factor, and says so in the audit log', async () => {
    const user = await addUser(service, account, 'bearbeiter');
    await service.sql(
      `INSERT INTO zweite_faktoren (mandant_id, benutzer_id, geheimnis, erstellt_am) VALUES ($1, $2, '', now())`,
      [account.mandantId, user.benutzerId],
    );
    const answer = await remove(user.benutzerId);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ entfernt: true });
    expect(await statusOf(user)).toBe(401);
    expect((await logIn(service, user.email)).statusCode).toBe(401);
    const left = await service.sql(
      `SELECT FROM zweite_faktoren WHERE benutzer_id = $1 UNION ALL SELECT FROM sitzungen WHERE benutzer_id = $1`,
      [user.benutzerId],
    );
    expect(left).toEqual([]);
    const entries = await service.sql(
      `SELECT akteur_id, objekt_name, vorher FROM pruefprotokoll WHERE aktion = 'benutzer.entfernt' AND objekt_id = $1`,
      [user.benutzerId],
    );
    expect(entries).toEqual([
      {
        akteur_id: account.benutzerId,
        objekt_name: user.email,
        vorher: { rolle: 'bearbeiter', aktiv: true, name: null },
      },
    ]);
    expect((await remove(user.benutzerId)).statusCode).toBe(404);
  });

  it('leaves what the user did, without the name, and ends the invitations', async () => {
    const fresh = await registerAccount(service);
    const user = await addUser(service, fresh, 'verwalter');
    const post = (url: string, payload?: object) =>
      service.app.inject({
        method: 'POST',
        url,
        headers: { cookie: user.cookie },
        ...(payload ? { payload } : {}),
      });
    await post('/v1/cockpit/konto/avv');
    await post('/v1/cockpit/benutzer/einladen', { email: 'neu@example.org' });
    expect((await get('/v1/cockpit/konto', fresh)).json().mandant.avv_akzeptiert_von).toBe(user.email);
    await remove(user.benutzerId, fresh);
    expect((await get('/v1/cockpit/konto', fresh)).json().mandant).toMatchObject({
      avv_akzeptiert_am: expect.any(String),
      avv_akzeptiert_von: null,
    });
    // Else a removed user comes back by an address of their own.
    expect((await get('/v1/cockpit/benutzer', fresh)).json().einladungen).toEqual([]);
    expect(
      await service.sql(
        `SELECT nachher FROM pruefprotokoll WHERE objekt_id = $1 AND aktion = 'benutzer.entfernt'`,
        [user.benutzerId],
      ),
    ).toEqual([{ nachher: { beendete_einladungen: 1 } }]);
  });

  it('frees the address', async () => {
    const user = await addUser(service, account, 'betrachter');
    await remove(user.benutzerId);
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/benutzer/einladen',
      headers: { cookie: account.cookie },
      payload: { email: user.email },
    });
    expect(answer.statusCode).toBe(200);
  });

  it('lets users remove themselves', async () => {
    const user = await addUser(service, account, 'verwalter');
    expect((await remove(user.benutzerId, user)).statusCode).toBe(200);
    expect(await statusOf(user)).toBe(401);
  });

  it('keeps a verwalter from every inhaber', async () => {
    const verwalter = await addUser(service, account, 'verwalter');
    const inhaber = await addUser(service, account, 'inhaber');
    expect((await remove(inhaber.benutzerId, verwalter)).statusCode).toBe(403);
    expect(await statusOf(inhaber)).toBe(200);
  });

  it('keeps the last active inhaber', async () => {
    const fresh = await registerAccount(service);
    const answer = await remove(fresh.benutzerId, fresh);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('letzter_inhaber');
    expect(await statusOf(fresh)).toBe(200);
  });

  it('keeps one inhaber when all remove themselves at once', async () => {
    const fresh = await registerAccount(service);
    const all = [fresh, await addUser(service, fresh, 'inhaber'), await addUser(service, fresh, 'inhaber')];
    const answers = await Promise.all(all.map((self) => remove(self.benutzerId, self)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409]);
    const left = await service.sql(`SELECT rolle, aktiv FROM benutzer WHERE mandant_id = $1`, [
      fresh.mandantId,
    ]);
    expect(left).toEqual([{ rolle: 'inhaber', aktiv: true }]);
  });

  it('answers a foreign user like one that does not exist, and leaves it alone', async () => {
    const foreign = await registerAccount(service);
    const [answer, unknown] = [await remove(foreign.benutzerId), await remove(randomUUID())];
    expect(answer.statusCode).toBe(404);
    expect(answer.json().code).toBe('nicht_gefunden');
    expect(answer.body).toBe(unknown.body);
    expect(await statusOf(foreign)).toBe(200);
  });

  it('checks the id', async () => {
    const answer = await remove('abc');
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['path', 'benutzer_id']);
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, async (user) =>
      remove((await addUser(service, account, 'betrachter')).benutzerId, user),
    );
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await remove(account.benutzerId, null)).statusCode).toBe(401);
  });
});
