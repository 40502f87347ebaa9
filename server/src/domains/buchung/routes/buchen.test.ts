import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { type FakeCheckout, type PaymentProvider, startPaymentProvider } from '#test/payment-provider.ts';
import { admitting, OWNERS, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let provider: PaymentProvider;
let service: TestService;
let account: Account;
beforeAll(async () => {
  provider = await startPaymentProvider();
  service = await startService({ ...provider.env, BASE_URL: 'https://zaehlwerk.example' });
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});
beforeEach(async () => {
  provider.asked.length = 0;
  provider.away = false;
  provider.page = 'https://bezahlen.example/seite';
  provider.checkouts.length = 0;
  provider.beforeExpiry = () => undefined;
  account = await registerAccount(service);
});

const book = (
  headers: Record<string, string> = { cookie: account.cookie },
  paket: unknown = 'team',
  on = service,
) => on.app.inject({ method: 'POST', url: '/v1/cockpit/konto/buchen', headers, payload: { paket } });

const asked = (path: string) => provider.asked.filter((each) => each.path === path);
const bookings = (mandantId: string) =>
  service.sql<{ kunde: string }>('SELECT kunde FROM buchungen WHERE mandant_id = $1', [mandantId]);

describe('POST /v1/cockpit/konto/buchen', () => {
  it('answers the address of the payment page, made for this Mandant', async () => {
    const answer = await book();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ adresse: 'https://bezahlen.example/seite' });
    const [{ kunde } = { kunde: '' }] = await bookings(account.mandantId);
    expect(asked('/v1/checkout/sessions').map(({ parameters }) => parameters)).toEqual([
      {
        mode: 'subscription',
        customer: kunde,
        'line_items[0][price]': 'price_team',
        'line_items[0][quantity]': '1',
        success_url: 'https://zaehlwerk.example/einstellungen/paket?buchung=erfolgt',
        cancel_url: 'https://zaehlwerk.example/einstellungen/paket?buchung=abgebrochen',
        client_reference_id: account.mandantId,
        'metadata[mandant_id]': account.mandantId,
        'metadata[paket]': 'team',
        'subscription_data[metadata][mandant_id]': account.mandantId,
        'subscription_data[metadata][paket]': 'team',
      },
    ]);
  });

  it('changes nothing but what it notes: the customer and who began', async () => {
    await book();
    const [mandant] = await service.sql('SELECT paket, paket_quelle FROM mandanten WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    expect(mandant).toEqual({ paket: 'frei', paket_quelle: 'frei' });
    const entries = await service.sql(
      `SELECT akteur_name, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'buchung.begonnen'`,
      [account.mandantId],
    );
    expect(entries).toEqual([{ akteur_name: account.email, nachher: { paket: 'team' } }]);
  });

  it('makes one customer, however often and however many at once', async () => {
    await Promise.all([book(), book(), book()]);
    await book();
    const stored = await bookings(account.mandantId);
    expect(stored).toHaveLength(1);
    const keys = asked('/v1/customers').map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys)).toEqual(new Set([`zaehlwerk-kunde-${account.mandantId}`]));
    const customers = asked('/v1/checkout/sessions').map(({ parameters }) => parameters.customer);
    expect(new Set(customers)).toEqual(new Set([stored[0]?.kunde]));
  });

  it.each(['frei', 'enterprise', 'Team', '', 'unbekannt'])('refuses the package „%s“', async (paket) => {
    const answer = await book({ cookie: account.cookie }, paket);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([
      {
        type: 'literal_error',
        loc: ['body', 'paket'],
        msg: "Input should be 'team'",
        input: paket,
        ctx: { expected: "'team'" },
      },
    ]);
    expect(provider.asked).toEqual([]);
  });

  it('checks the body', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/konto/buchen',
      headers: { cookie: account.cookie },
      payload: {},
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ type: 'missing', loc: ['body', 'paket'] });
  });

  it.each([
    [`paket = 'team', paket_quelle = 'buchung', abrechnungsstatus = 'aktiv'`, 'schon_gebucht'],
    [`abrechnungsstatus = 'zahlung_offen'`, 'schon_gebucht'],
    [`paket = 'enterprise', paket_quelle = 'betreiber'`, 'paket_vom_betreiber'],
  ])('refuses with %s', async (fields, code) => {
    await service.sql(`UPDATE mandanten SET ${fields} WHERE mandant_id = $1`, [account.mandantId]);
    const answer = await book();
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe(code);
    expect(asked('/v1/checkout/sessions')).toEqual([]);
  });

  it('asks the provider no more often than anybody books', async () => {
    await service.sql('DELETE FROM drosselung');
    expect((await book()).statusCode).toBe(200);
    await service.sql('UPDATE drosselung SET points = 60');
    provider.asked.length = 0;
    for (const path of ['buchen', 'portal']) {
      const answer = await service.app.inject({
        method: 'POST',
        url: `/v1/cockpit/konto/${path}`,
        headers: { cookie: account.cookie },
        ...(path === 'buchen' ? { payload: { paket: 'team' } } : {}),
      });
      expect(answer.statusCode).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(provider.asked).toEqual([]);
    await service.sql('DELETE FROM drosselung');
  });

  it('says which price is missing at the provider', async () => {
    provider.prices.delete('zaehlwerk_team');
    const answer = await book();
    provider.prices.add('zaehlwerk_team');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'buchung_nicht_eingerichtet' });
    expect(answer.json().detail).toContain('zaehlwerk_team');
  });

  it('answers 503 with Retry-After while the provider is away', async () => {
    provider.away = true;
    const answer = await book();
    expect(answer.statusCode).toBe(503);
    expect(answer.json().code).toBe('zahlungsanbieter_weg');
    expect(answer.headers['retry-after']).toBe('30');
  });

  it('hands on no address but an encrypted one; an open one of a stand-in only', async () => {
    provider.page = 'javascript:alert(1)';
    expect((await book()).statusCode).toBe(502);
    provider.page = 'http://bezahlen.example/seite';
    expect((await book()).json()).toEqual({ adresse: 'http://bezahlen.example/seite' });
  });

  it('is for owners', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => book({ cookie }));
    expect(statuses).toEqual(admitting(OWNERS));
  });

  it('wants a session', async () => {
    const key = await createKey(service, account);
    expect((await book({})).statusCode).toBe(401);
    expect((await book({ authorization: `Bearer ${key.secret}` })).statusCode).toBe(401);
  });
});

describe('a payment page', () => {
  beforeEach(() => {
    provider.page = 'https://bezahlen.example/{id}';
  });

  const began = async () =>
    (
      await service.sql(
        `SELECT 1 FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'buchung.begonnen'`,
        [account.mandantId],
      )
    ).length;
  const last = () => provider.checkouts.at(-1) as FakeCheckout;
  const stillOpen = () => provider.checkouts.filter(({ status }) => status === 'open');

  it('is the same again while it is open', async () => {
    const first = await book();
    expect(first.json().adresse).toBe(last().url);
    expect((await book()).body).toBe(first.body);
    expect(provider.checkouts).toHaveLength(1);
    expect(await began()).toBe(1);
  });

  it('is one for several requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => book()));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200));
    const [open, ...others] = stillOpen();
    expect(others).toEqual([]);
    expect(new Set(answers.map((answer) => answer.json().adresse))).toEqual(new Set([open?.url]));
    expect(await began()).toBe(1);
  });

  it('ends before another is opened for another package', async () => {
    await book();
    await service.sql(`UPDATE buchungen SET bezahlseite_paket = 'anderes' WHERE mandant_id = $1`, [
      account.mandantId,
    ]);
    const answer = await book();
    expect(provider.checkouts.map(({ status }) => status)).toEqual(['expired', 'open']);
    expect(answer.json().adresse).toBe(last().url);
    expect(await began()).toBe(2);
  });

  it.each(['expired', 'unknown'] as const)('is a new one when the old one is %s', async (what) => {
    await book();
    if (what === 'expired') last().status = 'expired';
    else provider.checkouts.length = 0;
    expect((await book()).json().adresse).toBe(last().url);
    expect(stillOpen()).toHaveLength(1);
  });

  it('is no second one when the first is paid and only the callback is missing', async () => {
    await book();
    last().status = 'complete';
    provider.put({ customer: last().customer });
    const answer = await book();
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('schon_gebucht');
    expect(provider.checkouts).toHaveLength(1);
    const [mandant] = await service.sql('SELECT paket, paket_quelle FROM mandanten WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    expect(mandant).toEqual({ paket: 'team', paket_quelle: 'buchung' });
  });

  it('is no second one when the first is paid while it is being ended', async () => {
    await book();
    await service.sql(`UPDATE buchungen SET bezahlseite_paket = 'anderes' WHERE mandant_id = $1`, [
      account.mandantId,
    ]);
    provider.beforeExpiry = (checkout) => {
      checkout.status = 'complete';
      provider.put({ customer: checkout.customer });
    };
    expect((await book()).json().code).toBe('schon_gebucht');
    expect(provider.checkouts).toHaveLength(1);
  });

  it('is a new one when what was paid on the old one has ended', async () => {
    await book();
    last().status = 'complete';
    provider.put({ customer: last().customer, status: 'canceled' });
    expect((await book()).json().adresse).toBe(last().url);
    expect(stillOpen()).toHaveLength(1);
  });
});

describe('without an account at the payment provider', () => {
  it('says what to set, whatever the package', async () => {
    const plain = await startService();
    const { cookie } = await registerAccount(plain);
    for (const paket of ['team', 'unbekannt']) {
      const answer = await book({ cookie }, paket, plain);
      expect(answer.statusCode).toBe(409);
      expect(answer.json().code).toBe('buchung_nicht_eingerichtet');
      expect(answer.json().detail).toContain('STRIPE_SECRET_KEY und STRIPE_WEBHOOK_SECRET');
    }
    await plain.stop();
  });
});
