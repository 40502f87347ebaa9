import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerAccount } from '#test/account.ts';
import {
  type Callback,
  type FakeSubscription,
  type PaymentProvider,
  startPaymentProvider,
} from '#test/payment-provider.ts';
import { startService, type TestService } from '#test/service.ts';

const URL_OF_CALLBACK = '/v1/payprovider/webhook';
const NOW = new Date('2026-11-20T12:00:00Z');
const PERIOD_END = '2026-12-20T12:00:00.000Z';

let provider: PaymentProvider;
let service: TestService;
let mandantId: string;
let customer: string;
beforeAll(async () => {
  provider = await startPaymentProvider();
  service = await startService(provider.env);
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});
beforeEach(async () => {
  provider.away = false;
  provider.asked.length = 0;
  provider.beforeAnswer = async () => undefined;
  service.clock.set(NOW.toISOString());
  ({ mandantId } = await registerAccount(service));
  customer = `cus_${mandantId.slice(-12)}`;
  await service.sql('INSERT INTO buchungen (mandant_id, kunde) VALUES ($1, $2)', [mandantId, customer]);
});

const deliver = ({ payload, headers }: Callback, on = service) =>
  on.app.inject({ method: 'POST', url: URL_OF_CALLBACK, headers, payload });

const subscribe = (fields: Partial<FakeSubscription> = {}) =>
  provider.put({ customer, periodEnd: Date.parse(PERIOD_END) / 1_000, ...fields });

const changed = (options?: { id?: string; at?: Date }) =>
  provider.callback('customer.subscription.updated', { customer }, { at: NOW, ...options });

const mandant = async () => {
  const [row] = await service.sql(
    'SELECT paket, paket_bis, paket_quelle, abrechnungsstatus FROM mandanten WHERE mandant_id = $1',
    [mandantId],
  );
  return row;
};
const entries = () =>
  service.sql(
    `SELECT akteur_art, vorher, nachher FROM pruefprotokoll
     WHERE mandant_id = $1 AND aktion = 'buchung.geaendert' ORDER BY eintrag_id`,
    [mandantId],
  );
const applied = () =>
  service.sql('SELECT ereignis FROM zahlungsereignisse WHERE mandant_id = $1', [mandantId]);

const FREE = { paket: 'frei', paket_bis: null, paket_quelle: 'frei', abrechnungsstatus: 'keine' };
const TEAM = {
  paket: 'team',
  paket_bis: expect.stringMatching(/^2026-12-20T12:00:00/),
  paket_quelle: 'buchung',
  abrechnungsstatus: 'aktiv',
};

describe('POST /v1/payprovider/webhook', () => {
  it.each([
    'checkout.session.completed',
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'invoice.paid',
    'invoice.payment_failed',
  ])('brings the Mandant to what is booked on %s', async (type) => {
    subscribe();
    const answer = await deliver(provider.callback(type, { customer }, { at: NOW }));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ empfangen: true });
    expect(await mandant()).toEqual(TEAM);
    expect(await entries()).toEqual([
      {
        akteur_art: 'system',
        vorher: FREE,
        nachher: {
          paket: 'team',
          paket_bis: PERIOD_END,
          paket_quelle: 'buchung',
          abrechnungsstatus: 'aktiv',
        },
      },
    ]);
  });

  it('follows a subscription to its end', async () => {
    const { id } = subscribe();
    await deliver(changed());
    for (const [status, expected] of [
      ['past_due', { ...TEAM, abrechnungsstatus: 'zahlung_offen' }],
      ['active', TEAM],
      ['canceled', { ...FREE, abrechnungsstatus: 'gekündigt' }],
    ] as const) {
      provider.put({ customer, id, status });
      await deliver(changed());
      expect(await mandant()).toEqual(expected);
    }
  });

  it('writes no entry when nothing has changed', async () => {
    subscribe();
    await deliver(changed());
    await deliver(changed());
    expect(await entries()).toHaveLength(1);
    expect(await applied()).toHaveLength(2);
  });

  it('tells the package by what was booked when its name has moved to another price', async () => {
    subscribe({ lookupKey: null, metadata: { paket: 'team' } });
    await deliver(changed());
    expect(await mandant()).toEqual(TEAM);
  });
});

describe('a signature', () => {
  const refused = { detail: expect.any(String), code: 'unterschrift_falsch' };

  it('holds for the bytes it was made for only', async () => {
    subscribe();
    const { payload, headers } = changed();
    for (const forged of [payload.replace('evt_', 'evt-'), `${payload} `]) {
      const answer = await deliver({ payload: forged, headers });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual(refused);
    }
    expect(await mandant()).toEqual(FREE);
    expect((await deliver({ payload, headers })).statusCode).toBe(200);
  });

  it.each([
    ['missing', { 'content-type': 'application/json' }],
    ['empty', { 'content-type': 'application/json', 'stripe-signature': '' }],
    ['nonsense', { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' }],
  ])('must be there (%s)', async (_what, headers) => {
    const answer = await deliver({ payload: changed().payload, headers });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual(refused);
  });

  it('must be made with our secret', async () => {
    const forged = provider.callback('invoice.paid', { customer }, { at: NOW, secret: 'whsec_anderes' });
    expect((await deliver(forged)).statusCode).toBe(400);
  });

  it('is good for five minutes', async () => {
    subscribe();
    const ago = (ms: number) => new Date(NOW.getTime() - ms);
    expect((await deliver(changed({ at: ago(301_000) }))).json()).toEqual(refused);
    expect(await mandant()).toEqual(FREE);
    expect((await deliver(changed({ at: ago(300_000) }))).statusCode).toBe(200);
    expect(await mandant()).toEqual(TEAM);
  });

  it('is not dated ahead, but for clocks that differ', async () => {
    subscribe();
    const ahead = (ms: number) => new Date(NOW.getTime() + ms);
    for (const ms of [301_000, 3_600_000]) {
      const answer = await deliver(changed({ at: ahead(ms) }));
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual(refused);
    }
    expect(await mandant()).toEqual(FREE);
    expect((await deliver(changed({ at: ahead(300_000) }))).statusCode).toBe(200);
    expect(await mandant()).toEqual(TEAM);
  });
});

describe('deliveries', () => {
  it('of one event, ten at once, have one effect', async () => {
    subscribe();
    const event = changed({ id: `evt_${mandantId}` });
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(event)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    expect(await mandant()).toEqual(TEAM);
    expect(await entries()).toHaveLength(1);
    expect(await applied()).toEqual([{ ereignis: `evt_${mandantId}` }]);
  });

  it('of an applied event do not even ask the provider', async () => {
    subscribe();
    const event = changed();
    await deliver(event);
    provider.asked.length = 0;
    expect((await deliver(event)).statusCode).toBe(200);
    expect(provider.asked).toEqual([]);
  });

  it('in any order end at what is booked', async () => {
    const { id } = subscribe({ status: 'incomplete' });
    const story = ['incomplete', 'active', 'past_due', 'canceled'].map((status) => {
      provider.put({ customer, id, status });
      return changed();
    });
    for (const event of [2, 0, 3, 1]) await deliver(story[event] as Callback);
    expect(await mandant()).toEqual({ ...FREE, abrechnungsstatus: 'gekündigt' });
    expect(await applied()).toHaveLength(4);
  });

  it('that were read early and answered late do not bring back what was before', async () => {
    const { id } = subscribe();
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    provider.beforeAnswer = () => {
      reached.resolve();
      return gate.promise;
    };
    const early = deliver(changed());
    await reached.promise;
    provider.beforeAnswer = async () => undefined;
    provider.put({ customer, id, status: 'canceled' });
    await deliver(changed());
    gate.resolve();
    expect((await early).statusCode).toBe(200);
    expect(await mandant()).toMatchObject({ paket: 'frei', abrechnungsstatus: 'gekündigt' });
    expect(await applied()).toHaveLength(2);
  });

  it('while the provider is away are refused, and have their effect when they come again', async () => {
    subscribe();
    const event = changed();
    provider.away = true;
    const answer = await deliver(event);
    expect(answer.statusCode).toBe(503);
    expect(await applied()).toEqual([]);
    provider.away = false;
    expect((await deliver(event)).statusCode).toBe(200);
    expect(await mandant()).toEqual(TEAM);
  });

  it.each([
    ['of a customer nobody knows', 'invoice.paid', { customer: 'cus_fremd' }],
    ['about no customer', 'invoice.paid', { customer: null }],
    ['of another kind', 'charge.refunded', null],
  ])('%s are taken, without effect', async (_what, type, object) => {
    subscribe();
    const answer = await deliver(provider.callback(type, object ?? { customer }, { at: NOW }));
    expect(answer.statusCode).toBe(200);
    expect(provider.asked).toEqual([]);
    expect(await mandant()).toEqual(FREE);
    expect(await applied()).toEqual([]);
  });

  it('reach nobody but the customer', async () => {
    const other = await registerAccount(service);
    subscribe();
    await deliver(changed());
    const [row] = await service.sql('SELECT paket FROM mandanten WHERE mandant_id = $1', [other.mandantId]);
    expect(row).toEqual({ paket: 'frei' });
  });
});

describe('a second subscription', () => {
  const endedEntries = () =>
    service.sql(
      `SELECT akteur_art, nachher FROM pruefprotokoll
       WHERE mandant_id = $1 AND aktion = 'buchung.doppelte_beendet'`,
      [mandantId],
    );
  const counted = async () =>
    (
      await service.sql<{ abonnement: string }>('SELECT abonnement FROM buchungen WHERE mandant_id = $1', [
        mandantId,
      ])
    )[0]?.abonnement;
  const statusOf = (id: string) => provider.subscriptions.find((each) => each.id === id)?.status;

  it('is ended at the provider, the one that counts stays', async () => {
    const first = subscribe({ created: 20 });
    await deliver(changed());
    // Made before the first by the provider's clock: what counts already counts on.
    const second = subscribe({ created: 10 });
    expect((await deliver(changed())).statusCode).toBe(200);
    expect([statusOf(first.id), statusOf(second.id)]).toEqual(['active', 'canceled']);
    expect(await counted()).toBe(first.id);
    expect(await mandant()).toEqual(TEAM);
    expect(await endedEntries()).toEqual([{ akteur_art: 'system', nachher: { abonnement: second.id } }]);
    await deliver(changed());
    expect(await endedEntries()).toHaveLength(1);
  });

  it('is the later one when both are new, however many callbacks come at once', async () => {
    const [first, second] = [subscribe({ created: 1 }), subscribe({ created: 2 })];
    await Promise.all([deliver(changed()), deliver(changed()), deliver(changed())]);
    expect([statusOf(first.id), statusOf(second.id)]).toEqual(['active', 'canceled']);
    expect(await counted()).toBe(first.id);
    expect(await mandant()).toEqual(TEAM);
  });

  it('takes the place of one that is not paid', async () => {
    const unpaid = subscribe({ status: 'past_due' });
    await deliver(changed());
    const paid = subscribe();
    await deliver(changed());
    expect([statusOf(unpaid.id), statusOf(paid.id)]).toEqual(['canceled', 'active']);
    expect(await counted()).toBe(paid.id);
  });

  it('leaves one alone that ends by itself, one that is not paid yet, and what is none of ours', async () => {
    const others = [
      subscribe({ cancelAt: Date.parse(PERIOD_END) / 1_000 }),
      subscribe({ status: 'incomplete' }),
      subscribe({ lookupKey: 'etwas_anderes' }),
    ];
    const { id } = subscribe();
    await deliver(changed());
    expect(others.map((other) => statusOf(other.id))).toEqual(['active', 'incomplete', 'active']);
    expect(await counted()).toBe(id);
    expect(await endedEntries()).toEqual([]);
  });

  it('is ended when the event comes again, where the provider was away', async () => {
    subscribe({ created: 1 });
    const second = subscribe({ created: 2 });
    const event = changed();
    provider.beforeAnswer = async () => {
      provider.away = true;
    };
    expect((await deliver(event)).statusCode).toBe(503);
    expect(await applied()).toEqual([]);
    provider.beforeAnswer = async () => undefined;
    provider.away = false;
    expect((await deliver(event)).statusCode).toBe(200);
    expect(statusOf(second.id)).toBe('canceled');
    expect(await mandant()).toEqual(TEAM);
  });
});

describe('without an account at the payment provider', () => {
  it('nothing is taken', async () => {
    const plain = await startService();
    const answer = await deliver(changed(), plain);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('buchung_nicht_eingerichtet');
    await plain.stop();
  });

  it('a body that is no object is refused as everywhere', async () => {
    const answer = await deliver({ payload: '[]', headers: { 'content-type': 'application/json' } });
    expect(answer.statusCode).toBe(422);
  });
});
