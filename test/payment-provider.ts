/** A stand-in for the payment provider: speaks the calls of Stripe's API that booking makes, over HTTP, from memory. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { paketOf } from '../server/src/domains/buchung/rules.ts';

const WEBHOOK_SECRET = 'whsec_pruefung';

export interface FakeSubscription {
  id: string;
  customer: string;
  status: string;
  /** Name of the price; the package follows from it. */
  lookupKey: string | null;
  metadata: Record<string, string>;
  /** Seconds of Unix time. */
  periodEnd: number;
  cancelAt: number | null;
  created: number;
}

export interface FakeCheckout {
  id: string;
  customer: string;
  status: 'open' | 'complete' | 'expired';
  url: string;
}

interface Asked {
  method: string;
  path: string;
  parameters: Record<string, string>;
  idempotencyKey: string | undefined;
}

export interface PaymentProvider {
  /** What the service is started with. */
  env: Record<string, string>;
  /** Names of the prices that are sold. */
  prices: Set<string>;
  subscriptions: FakeSubscription[];
  checkouts: FakeCheckout[];
  asked: Asked[];
  /** While true, every call fails. */
  away: boolean;
  /** The address of payment pages and portals; `{id}` in it becomes that of the checkout. */
  page: string;
  /** Is waited for before subscriptions are answered, after they were read. */
  beforeAnswer: () => Promise<void>;
  /** Comes before a checkout is expired. */
  beforeExpiry: (checkout: FakeCheckout) => void;
  /** Puts a subscription in place of the one with the same id. */
  put(subscription: Partial<FakeSubscription> & { customer: string }): FakeSubscription;
  /** A callback as the provider would send it. */
  callback(type: string, object: object, options?: { id?: string; at?: Date; secret?: string }): Callback;
  stop(): Promise<void>;
}

export interface Callback {
  payload: string;
  headers: Record<string, string>;
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);

const toApi = (subscription: FakeSubscription) => ({
  id: subscription.id,
  object: 'subscription',
  status: subscription.status,
  customer: subscription.customer,
  metadata: subscription.metadata,
  created: subscription.created,
  cancel_at: subscription.cancelAt,
  cancel_at_period_end: false,
  items: {
    object: 'list',
    data: [
      {
        current_period_end: subscription.periodEnd,
        price: { id: 'price_1', lookup_key: subscription.lookupKey },
      },
    ],
  },
});

async function parametersOf(request: IncomingMessage, url: URL): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  return Object.fromEntries([...url.searchParams, ...form]);
}

const listOf = (data: object[]) => ({ object: 'list', has_more: false, data });
const missing = {
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such object' } },
};

const notOpen = {
  status: 400,
  body: { error: { type: 'invalid_request_error', message: 'Only open sessions can be expired' } },
};

function beginCheckout(provider: PaymentProvider, customer: string): FakeCheckout {
  const id = `cs_${randomUUID().slice(0, 8)}`;
  const checkout: FakeCheckout = { id, customer, status: 'open', url: provider.page.replace('{id}', id) };
  provider.checkouts.push(checkout);
  return checkout;
}

/** Reading a checkout, and expiring it. */
function answerCheckout(provider: PaymentProvider, id: string, expire: boolean) {
  const checkout = provider.checkouts.find((candidate) => candidate.id === id);
  if (!checkout) return missing;
  if (expire) {
    provider.beforeExpiry(checkout);
    if (checkout.status !== 'open') return notOpen;
    checkout.status = 'expired';
  }
  return { status: 200, body: { ...checkout, url: checkout.status === 'open' ? checkout.url : null } };
}

async function answer(provider: PaymentProvider, customers: Map<string, string>, asked: Asked) {
  const { method, path, parameters, idempotencyKey } = asked;
  const ok = (body: object) => ({ status: 200, body });
  const subscription = /^\/v1\/subscriptions\/(\w+)$/.exec(path)?.[1];
  if (method === 'DELETE' && subscription) {
    const found = provider.subscriptions.find(
      ({ id, status }) => id === subscription && status !== 'canceled',
    );
    if (!found) return missing;
    found.status = 'canceled';
    return ok(toApi(found));
  }
  const checkout = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path);
  if (checkout?.[1] && method === (checkout[2] ? 'POST' : 'GET'))
    return answerCheckout(provider, checkout[1], checkout[2] !== undefined);
  switch (`${method} ${path}`) {
    case 'GET /v1/prices': {
      const key = parameters['lookup_keys[0]'] ?? '';
      return ok(listOf(provider.prices.has(key) ? [{ id: `price_${paketOf(key)}`, lookup_key: key }] : []));
    }
    case 'POST /v1/customers': {
      const repeat = idempotencyKey ?? randomUUID();
      const id = customers.get(repeat) ?? `cus_${randomUUID().slice(0, 8)}`;
      customers.set(repeat, id);
      return ok({ id, object: 'customer' });
    }
    case 'POST /v1/checkout/sessions':
      return ok(beginCheckout(provider, parameters.customer ?? ''));
    case 'POST /v1/billing_portal/sessions':
      return ok({ id: 'bps_1', url: provider.page });
    case 'GET /v1/subscriptions': {
      const found = provider.subscriptions.filter(({ customer }) => customer === parameters.customer);
      const body = listOf(found.map(toApi));
      await provider.beforeAnswer();
      return ok(body);
    }
    default:
      return missing;
  }
}

function createState(): Omit<PaymentProvider, 'env' | 'stop'> {
  const subscriptions: FakeSubscription[] = [];
  return {
    prices: new Set(['zaehlwerk_team']),
    subscriptions,
    checkouts: [],
    asked: [],
    away: false,
    page: 'https://bezahlen.example/seite',
    beforeAnswer: async () => undefined,
    beforeExpiry: () => undefined,
    put(given) {
      const known = subscriptions.find(({ id }) => id === given.id);
      if (known) return Object.assign(known, given);
      const created = {
        id: `sub_${randomUUID().slice(0, 8)}`,
        status: 'active',
        lookupKey: 'zaehlwerk_team',
        metadata: {},
        periodEnd: seconds(new Date('2027-01-01T00:00:00Z')),
        cancelAt: null,
        created: subscriptions.length,
        ...given,
      };
      subscriptions.push(created);
      return created;
    },
    callback(type, object, { id = `evt_${randomUUID()}`, at = new Date(), secret = WEBHOOK_SECRET } = {}) {
      const payload = JSON.stringify({ id, object: 'event', type, created: seconds(at), data: { object } });
      const timestamp = seconds(at);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
      return { payload, headers: { 'content-type': 'application/json', 'stripe-signature': signature } };
    },
  };
}

/** Listens on a free port of this machine. */
export async function startPaymentProvider(): Promise<PaymentProvider> {
  const customers = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const asked: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      parameters: await parametersOf(request, url),
      idempotencyKey: request.headers['idempotency-key']?.toString(),
    };
    provider.asked.push(asked);
    const { status, body } = provider.away
      ? { status: 500, body: { error: { type: 'api_error', message: 'away' } } }
      : await answer(provider, customers, asked);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider: PaymentProvider = Object.assign(createState(), {
    env: {
      STRIPE_SECRET_KEY: 'sk_test_pruefung',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return provider;
}
