/** How the demo talks to the service: over HTTP with an API key, like every other sender. */
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, type Delivery, deliveryOf, failedDelivery } from '#client/delivery.ts';
import { anbindungPruefen, ereignisseAnnehmen, type ResponseOf, uebersichtTag } from '#contracts';
import type { DemoEvent } from './call.ts';

/** The service will not answer what is asked, however often; e.g. because the key was blocked. */
export class ServiceRefused extends Error {
  readonly status: number | null;

  constructor({ status, error }: Delivery) {
    super(error ?? 'refused');
    this.name = 'ServiceRefused';
    this.status = status;
  }
}

type Annahme = ResponseOf<typeof ereignisseAnnehmen>;
type Eingriff = Annahme['eingriffe'][number];

/** All of its functions wait and try again while the service is busy or away, and reject when it refuses. */
export interface ServiceClient {
  /** Resolves once the events are accepted, with the interventions in force for their agents. */
  send(events: readonly DemoEvent[]): Promise<Eingriff[]>;
  /** How many events of the Mandant are counted. */
  counted(): Promise<number>;
  /** The instant up to which everything received is counted, epoch milliseconds. */
  countedUntil(): Promise<number>;
}

const TIMEOUT_MS = 30_000;
const FIRST_RETRY_MS = 250;
const UNAUTHORIZED = 401;

/** `address` is where the service listens, e.g. `http://127.0.0.1:8080`; once `signal` is aborted, nothing more is begun. */
export function createServiceClient(address: string, key: string, signal: AbortSignal): ServiceClient {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

  const exchange = async (path: string, init: RequestInit): Promise<string> => {
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      let delivery: Delivery;
      try {
        const limit = AbortSignal.timeout(TIMEOUT_MS);
        const response = await fetch(address + path, { ...init, headers, signal: limit });
        const text = response.clone().text();
        delivery = await deliveryOf(response);
        if (delivery.kind === 'accepted') return await text;
        await text;
      } catch (error) {
        delivery = failedDelivery(error);
      }
      if (delivery.kind === 'refused') throw new ServiceRefused(delivery);
      const pause = delivery.retryAfterMs ?? FIRST_RETRY_MS * 2 ** attempt;
      await delay(backoffMs(pause, delivery.retryAfterMs !== null), undefined, { signal });
    }
  };
  const read = async <T>(path: string): Promise<T> =>
    JSON.parse(await exchange(path, { method: 'GET' })) as T;

  return {
    async send(events) {
      const answer = await exchange(ereignisseAnnehmen.path, {
        method: 'POST',
        body: JSON.stringify({ ereignisse: events }),
      });
      return (JSON.parse(answer) as Annahme).eingriffe;
    },
    counted: async () =>
      (await read<ResponseOf<typeof anbindungPruefen>>(anbindungPruefen.path)).ereignisse_gesamt,
    countedUntil: async () =>
      Date.parse((await read<ResponseOf<typeof uebersichtTag>>(uebersichtTag.path)).gezaehlt_bis),
  };
}

/** Whether the service still takes the client's key. */
export async function isAccepted(client: ServiceClient): Promise<boolean> {
  try {
    await client.counted();
    return true;
  } catch (error) {
    if (error instanceof ServiceRefused && error.status === UNAUTHORIZED) return false;
    throw error;
  }
}
