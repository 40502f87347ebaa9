/** Booking, as an inhaber does it: to the payment provider and back, with the provider's callback in between. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leave, openPage } from '#test/browser.ts';
import { type Cockpit, logIn, registerUser, startCockpit } from '#test/cockpit.ts';
import { request } from '#test/outside-account.ts';
import { type PaymentProvider, startPaymentProvider } from '#test/payment-provider.ts';

let provider: PaymentProvider;
let cockpit: Cockpit;

beforeAll(async () => {
  provider = await startPaymentProvider();
  provider.page = `${provider.env.STRIPE_API_BASE}/seite`;
  cockpit = await startCockpit(provider.env);
});

afterAll(async () => {
  await cockpit?.dispose();
  await provider?.stop();
});

const askedFor = (path: string) => provider.asked.findLast((asked) => asked.path === path)?.parameters ?? {};

/** What the provider does once the money is there. */
async function payAndReport(customer: string): Promise<number> {
  const { payload, headers } = provider.callback('customer.subscription.created', provider.put({ customer }));
  const url = `${cockpit.address}/v1/payprovider/webhook`;
  return (await request(url, { method: 'POST', headers, body: payload })).status;
}

test('an inhaber books a package, comes back and finds it; the portal opens from then on', async () => {
  const visit = await openPage(cockpit.browser, cockpit.address);
  const { page, context } = visit;
  await context.route(provider.page, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Bezahlen</title>' }),
  );
  const email = await registerUser(cockpit.address);
  await page.goto('/einstellungen/paket');
  await logIn(page, email);

  await page.getByRole('button', { name: 'Team buchen' }).click();
  await page.waitForURL(provider.page);
  const { customer = '', success_url: back = '', cancel_url: away = '' } = askedFor('/v1/checkout/sessions');

  await page.goto(away);
  await page.getByText('Die Buchung wurde abgebrochen. Es wurde nichts berechnet.').waitFor();

  await page.goto(back);
  await page.getByText('Sobald der Zahlungsanbieter die Buchung meldet').waitFor();
  expect(await payAndReport(customer)).toBe(200);
  await page.getByText('Danke. Der Tarif ist gebucht.').waitFor();
  await page.getByText('1. Januar 2027').or(page.getByText('01.01.2027')).first().waitFor();

  await page.getByRole('button', { name: 'Kundenportal öffnen' }).click();
  await page.waitForURL(provider.page);
  expect(askedFor('/v1/billing_portal/sessions').customer).toBe(customer);
  // The payment page is another host's, and the only one the browser ever left for.
  expect(visit.watch.faults.splice(0)).toEqual([provider.page, provider.page]);
  await leave(visit, ['401 /v1/ich']);
});
