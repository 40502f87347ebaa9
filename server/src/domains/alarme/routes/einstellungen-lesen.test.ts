import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const read = (headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ url: '/v1/cockpit/mandant/alarme/einstellungen', headers });

describe('GET /v1/cockpit/mandant/alarme/einstellungen', () => {
  it('says how somebody is alarmed who has set nothing', async () => {
    const answer = await read();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      sprache: 'de',
      ruhestunden: null,
      sammeln: 'sofort',
      sammeln_um: '08:00',
      unterschrift_seit: null,
      unterschrift_frueher_bis: null,
    });
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => read({ cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await read({})).statusCode).toBe(401);
  });
});
