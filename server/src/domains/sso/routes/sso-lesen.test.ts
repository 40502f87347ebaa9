import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ BASE_URL: 'https://zaehlwerk.example/' });
});
afterAll(() => service.stop());

const read = (headers: Record<string, string>) =>
  service.app.inject({ url: '/v1/cockpit/mandant/sso', headers });

describe('GET /v1/cockpit/mandant/sso', () => {
  it('shows before anything is set up with what a set-up begins', async () => {
    const answer = await read({ cookie: (await registerAccount(service)).cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      eingerichtet: false,
      aktiv: false,
      issuer: null,
      client_id: null,
      client_secret_gesetzt: false,
      domains: [],
      rolle_neu: 'betrachter',
      name: 'Firmenkonto',
      redirect_uri: 'https://zaehlwerk.example/v1/sso/callback',
    });
  });

  it('is for those who administer', async () => {
    const account = await registerAccount(service);
    const statuses = await statusByRole(service, account, ({ cookie }) => read({ cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    const key = await createKey(service, await registerAccount(service));
    expect((await read({})).statusCode).toBe(401);
    expect((await read({ authorization: `Bearer ${key.secret}` })).statusCode).toBe(401);
  });
});
