/** The payment provider (Stripe), as far as booking needs it. Throws 503 when it is away, 502 when it refuses. */
import Stripe from 'stripe';
import { AppError, unavailable } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { type Abonnement, lookupKeyOf, paketOf } from './rules.ts';

interface Checkout {
  mandant: MandantId;
  kunde: string;
  preis: string;
  paket: string;
  /** Where the browser goes afterwards. */
  erfolg: string;
  abbruch: string;
}

/** A payment page at the provider. */
interface Bezahlseite {
  id: string;
  /** Where the browser goes. */
  adresse: string;
}

/** What has become of a payment page; `gone` stands for expired and unknown ones. */
type Verbleib = { status: 'open'; adresse: string } | { status: 'complete' | 'gone' };

export interface Provider {
  /** Id of the price a package is sold at; null when the provider has none by its name. */
  priceOf(paket: string): Promise<string | null>;
  /** The same customer, however often it is asked for within a day. */
  createCustomer(mandant: MandantId, firma: string): Promise<string>;
  beginCheckout(checkout: Checkout): Promise<Bezahlseite>;
  readCheckout(id: string): Promise<Verbleib>;
  /** Nobody can pay there any more; false when somebody has, or it had ended before. */
  expireCheckout(id: string): Promise<boolean>;
  /** Resolves with the address the browser goes to. */
  openPortal(kunde: string, zurueck: string): Promise<string>;
  /** All of a customer, ended ones too. */
  subscriptionsOf(kunde: string): Promise<Abonnement[]>;
  /** Ends a subscription now; false when it had ended already. */
  endSubscription(id: string): Promise<boolean>;
  /** The event in a callback. Throws 400 when it is not signed by the provider, or not about now. */
  readEvent(body: Buffer, signature: string | undefined, now: Date): Stripe.Event;
}

const TIMEOUT = 8_000;
/** Seconds a signature is good for, and may be ahead of our clock. */
const TOLERANCE = 300;
const MOST_SUBSCRIPTIONS = 100;

const PASSING = [
  Stripe.errors.StripeConnectionError,
  Stripe.errors.StripeAPIError,
  Stripe.errors.StripeRateLimitError,
];

const badSignature = () =>
  new AppError('malformed', 'unterschrift_falsch', {
    de: 'Die Unterschrift fehlt, stimmt nicht oder ist nicht von jetzt.',
    en: 'The signature is missing, wrong, or not of now.',
  });

/** When a signature says it was made, in seconds; of several the last, as the library takes it. */
function signedAt(signature: string): number {
  const stamps = signature.split(',').flatMap((part) => /^t=(\d+)/.exec(part)?.[1] ?? []);
  return Number(stamps.at(-1));
}

const refused = () =>
  new AppError('refused-elsewhere', 'zahlungsanbieter_lehnt_ab', {
    de: 'Der Zahlungsanbieter hat die Anfrage abgelehnt. Den Grund findet der Betreiber im Protokoll des Dienstes.',
    en: 'The payment provider refused the request. The operator finds the reason in the log of the service.',
  });

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** The customer an event is about; null when it is about none. */
export function customerOf(event: Stripe.Event): string | null {
  const { customer } = event.data.object as { customer?: string | { id: string } | null };
  return idOf(customer ?? null);
}

function toAbonnement(subscription: Stripe.Subscription): Abonnement {
  const { id, status, items, metadata, cancel_at, cancel_at_period_end, created } = subscription;
  const item = items.data.find(({ price }) => paketOf(price.lookup_key) !== null) ?? items.data[0];
  const laeuft_bis = item?.current_period_end ?? null;
  return {
    id,
    status,
    // A name can move on to a newer price; what was booked then is in the metadata.
    paket: paketOf(item?.price.lookup_key ?? null) ?? paketOf(lookupKeyOf(metadata.paket ?? '')),
    laeuft_bis,
    endet_am: cancel_at ?? (cancel_at_period_end ? laeuft_bis : null),
    begonnen_am: created,
  };
}

function clientOf({ secretKey, apiBase }: NonNullable<Config['stripe']>): Stripe {
  const options = { timeout: TIMEOUT, maxNetworkRetries: 1, telemetry: false };
  if (apiBase === null) return new Stripe(secretKey, options);
  const { protocol, hostname, port } = new URL(apiBase);
  const secure = protocol === 'https:';
  return new Stripe(secretKey, {
    ...options,
    protocol: secure ? 'https' : 'http',
    host: hostname,
    port: port || (secure ? 443 : 80),
  });
}

/** What every call goes through. */
interface Line {
  stripe: Stripe;
  /** Turns the provider's refusals into ours. */
  ask<T>(question: Promise<T>): Promise<T>;
  addressOf(page: { url: string | null }): string;
}

function openLine(config: NonNullable<Config['stripe']>, log: Log): Line {
  return {
    stripe: clientOf(config),
    async ask(question) {
      try {
        return await question;
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeError)) throw error;
        const { message, type, code, requestId } = error;
        log.error({ reason: message, type, code, requestId }, 'payment provider');
        if (PASSING.some((kind) => error instanceof kind))
          throw unavailable(
            'zahlungsanbieter_weg',
            {
              de: 'Der Zahlungsanbieter antwortet gerade nicht.',
              en: 'The payment provider does not answer right now.',
            },
            30,
          );
        throw refused();
      }
    },
    // The browser is sent there: never without encryption, unless the whole provider is a stand-in.
    addressOf({ url }) {
      const protocol = url !== null && URL.canParse(url) ? new URL(url).protocol : null;
      const isGood = protocol === 'https:' || (protocol === 'http:' && config.apiBase !== null);
      if (url !== null && isGood) return url;
      log.error({ protocol }, 'payment provider: answered an address that is none to go to');
      throw refused();
    },
  };
}

type Selling = 'priceOf' | 'createCustomer' | 'openPortal';

const createSelling = ({ stripe, ask, addressOf }: Line): Pick<Provider, Selling> => ({
  async priceOf(paket) {
    const found = await ask(stripe.prices.list({ lookup_keys: [lookupKeyOf(paket)], active: true }));
    return found.data[0]?.id ?? null;
  },
  async createCustomer(mandant, firma) {
    const customer = { name: firma, metadata: { mandant_id: mandant } };
    const idempotencyKey = `zaehlwerk-kunde-${mandant}`;
    return (await ask(stripe.customers.create(customer, { idempotencyKey }))).id;
  },
  async openPortal(kunde, zurueck) {
    const session = stripe.billingPortal.sessions.create({ customer: kunde, return_url: zurueck });
    return addressOf(await ask(session));
  },
});

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'resource_missing';

type Paying = 'beginCheckout' | 'readCheckout' | 'expireCheckout';

const createPaying = ({ stripe, ask, addressOf }: Line): Pick<Provider, Paying> => ({
  async beginCheckout({ mandant, kunde, preis, paket, erfolg, abbruch }) {
    const metadata = { mandant_id: mandant, paket };
    const session = stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: kunde,
      line_items: [{ price: preis, quantity: 1 }],
      success_url: erfolg,
      cancel_url: abbruch,
      client_reference_id: mandant,
      metadata,
      subscription_data: { metadata },
    });
    const begun = await ask(session);
    return { id: begun.id, adresse: addressOf(begun) };
  },
  async readCheckout(id) {
    const found = stripe.checkout.sessions.retrieve(id).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    const session = await ask(found);
    if (session?.status === 'open') return { status: 'open', adresse: addressOf(session) };
    return { status: session?.status === 'complete' ? 'complete' : 'gone' };
  },
  async expireCheckout(id) {
    const expired = stripe.checkout.sessions.expire(id).then(
      () => true,
      (error: unknown) => {
        // The refusal of a page that is not open any more.
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
        throw error;
      },
    );
    return ask(expired);
  },
});

export function createProvider(config: NonNullable<Config['stripe']>, log: Log): Provider {
  const line = openLine(config, log);
  const { stripe, ask } = line;
  return {
    ...createSelling(line),
    ...createPaying(line),
    async subscriptionsOf(kunde) {
      const question = { customer: kunde, status: 'all', limit: MOST_SUBSCRIPTIONS } as const;
      return (await ask(stripe.subscriptions.list(question))).data.map(toAbonnement);
    },
    async endSubscription(id) {
      const ended = stripe.subscriptions.cancel(id).then(
        () => true,
        (error: unknown) => {
          if (isMissing(error)) return false;
          throw error;
        },
      );
      return ask(ended);
    },
    readEvent(body, signature, now) {
      const { webhookSecret } = config;
      // The library looks back only.
      if (signature && signedAt(signature) - now.getTime() / 1000 > TOLERANCE) throw badSignature();
      try {
        return stripe.webhooks.constructEvent(
          body,
          signature ?? '',
          webhookSecret,
          TOLERANCE,
          undefined,
          now.getTime(),
        );
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw badSignature();
        throw error;
      }
    },
  };
}
