import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { type PaymentProvider, startPaymentProvider } from '#test/payment-provider.ts';
import { admitting, OWNERS, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let provider: PaymentProvider;
let service: TestService;
let account: Account;
beforeAll(async () => {
  provider = await startPaymentProvider();
  service = await startService({ ...provider.env, BASE_URL: 'https://zaehlwerk.example' });
  account = await registerAccount(service);
  await service.sql(`INSERT INTO buchungen (mandant_id, kunde) VALUES ($1, 'cus_eins')`, [account.mandantId]);
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const open = (headers: Record<string, string> = { cookie: account.cookie }, on = service) =>
  on.app.inject({ method: 'POST', url: '/v1/cockpit/konto/portal', headers });

describe('POST /v1/cockpit/konto/portal', () => {
  it('answers the address of the portal of this customer', async () => {
    const answer = await open();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ adresse: provider.page });
    expect(provider.asked.at(-1)).toMatchObject({
      path: '/v1/billing_portal/sessions',
      parameters: { customer: 'cus_eins', return_url: 'https://zaehlwerk.example/einstellungen/paket' },
    });
  });

  it('needs a booking, of this Mandant', async () => {
    const { cookie } = await registerAccount(service);
    const answer = await open({ cookie });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('kein_kunde');
  });

  it('says what to set without an account at the payment provider', async () => {
    const plain = await startService();
    const { cookie } = await registerAccount(plain);
    const answer = await open({ cookie }, plain);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('buchung_nicht_eingerichtet');
    await plain.stop();
  });

  it('is for owners', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => open({ cookie }));
    expect(statuses).toEqual(admitting(OWNERS));
  });

  it('wants a session', async () => {
    expect((await open({})).statusCode).toBe(401);
  });
});
