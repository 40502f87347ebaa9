import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const list = (headers: Record<string, string>) =>
  service.app.inject({ url: '/v1/cockpit/ansichten', headers });
const keep = async ({ cookie }: Account, name: string) =>
  (
    await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/ansichten',
      headers: { cookie },
      payload: { name, pfad: '/laeufe', suche: `q=${name}` },
    })
  ).json();

describe('GET /v1/cockpit/ansichten', () => {
  it('lists the own views by name', async () => {
    const user = await addUser(service, account, 'betrachter');
    const [b, a] = [await keep(user, 'b'), await keep(user, 'a')];
    await keep(account, 'c');
    const answer = await list({ cookie: user.cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ ansichten: [a, b] });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is for everybody who is signed in', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => list({ cookie }));
    expect(statuses).toEqual(admitting(EVERYBODY));
    expect((await list({})).statusCode).toBe(401);
    const { secret } = await createKey(service, account);
    expect((await list({ authorization: `Bearer ${secret}` })).statusCode).toBe(401);
  });
});
