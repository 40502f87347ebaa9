import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const remove = (id: string, user: Account | null) =>
  service.app.inject({
    method: 'DELETE',
    url: `/v1/cockpit/ansichten/${id}`,
    headers: user ? { cookie: user.cookie } : {},
  });
const view = { name: 'Montagsrunde', pfad: '/laeufe', suche: 'status=fehler' };
const keep = async ({ cookie }: Account): Promise<string> =>
  (
    await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/ansichten',
      headers: { cookie },
      payload: view,
    })
  ).json().ansicht_id;

describe('DELETE /v1/cockpit/ansichten/{ansicht_id}', () => {
  it('removes an own view, once', async () => {
    const user = await addUser(service, account, 'betrachter');
    const id = await keep(user);
    const answer = await remove(id, user);
    expect([answer.statusCode, answer.json()]).toEqual([200, { entfernt: true }]);
    expect(await service.sql('SELECT FROM ansichten WHERE ansicht_id = $1', [id])).toEqual([]);
    expect((await remove(id, user)).statusCode).toBe(404);
    const entries = await service.sql(
      `SELECT objekt_name, vorher, nachher FROM pruefprotokoll WHERE objekt_id = $1 AND aktion = 'ansicht.entfernt'`,
      [id],
    );
    expect(entries).toEqual([{ objekt_name: null, vorher: null, nachher: null }]);
  });

  it('answers the view of a colleague like one that does not exist, and leaves it alone', async () => {
    const id = await keep(await addUser(service, account, 'betrachter'));
    const [foreign, unknown] = [await remove(id, account), await remove(randomUUID(), account)];
    expect(foreign.statusCode).toBe(404);
    expect(foreign.body).toBe(unknown.body);
    expect(await service.sql('SELECT FROM ansichten WHERE ansicht_id = $1', [id])).toHaveLength(1);
  });

  it('is for everybody who is signed in', async () => {
    const statuses = await statusByRole(service, account, async (user) => remove(await keep(user), user));
    expect(statuses).toEqual(admitting(EVERYBODY));
    expect((await remove(randomUUID(), null)).statusCode).toBe(401);
    expect((await remove('abc', account)).statusCode).toBe(422);
  });
});
