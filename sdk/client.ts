import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { backoffMs, type Delivery, deliveryOf, failedDelivery } from './delivery.ts';
import type { Ereignis } from './event.ts';

/** How the client reaches the service; times are milliseconds. */
export interface ClientOptions {
  /** Address of the service, for example `http://localhost:8080`. */
  baseUrl: string;
  /** API key with the scope `Senden`. */
  key: string;
  /** Events per request. */
  batchSize?: number;
  /** Events held at most while the service cannot take them; further ones are dropped and counted. */
  maxQueue?: number;
  fetch?: typeof fetch;
  /** How long a batch that is not full waits for more events. */
  flushIntervalMs?: number;
  /** First delay after a failure; it doubles up to half a minute. */
  retryDelayMs?: number;
  requestTimeoutMs?: number;
}

/** Where the events handed over so far are. */
export interface ClientStats {
  queued: number;
  sent: number;
  dropped: number;
  /** Why the latest request failed, null while all is well. */
  lastError: string | null;
}

/** A sender in the background. None of its functions throws or rejects. */
export interface Client {
  /** Queues one event; it gets an `ereignis_id` and, where it has no time, the present one. */
  send(event: Ereignis): void;
  /** Resolves when all queued events are delivered, at the latest after `timeoutMs` (default 30 s). */
  flush(timeoutMs?: number): Promise<ClientStats>;
  /** Delivers what it can within `timeoutMs` (default 10 s), drops the rest and stops for good. */
  shutdown(timeoutMs?: number): Promise<ClientStats>;
  stats(): ClientStats;
}

class QueueingClient implements Client {
  readonly #options: Required<ClientOptions>;
  /** Serialised when queued: a retry must repeat the very bytes, and later changes by the host must not show. */
  #queue: string[] = [];
  #sent = 0;
  #dropped = 0;
  #lastError: string | null = null;
  #closed = false;
  #draining: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #stop = new AbortController();

  constructor(options: Required<ClientOptions>) {
    this.#options = options;
  }

  send(event: Ereignis): void {
    if (this.#closed || this.#queue.length >= this.#options.maxQueue) {
      this.#dropped++;
      return;
    }
    try {
      const zeitpunkt = event.zeitpunkt ?? new Date().toISOString();
      this.#queue.push(JSON.stringify({ ...event, ereignis_id: event.ereignis_id ?? uuidv7(), zeitpunkt }));
    } catch (error) {
      this.#dropped++;
      this.#lastError = String(error);
      return;
    }
    if (this.#queue.length >= this.#options.batchSize) void this.#drain();
    // unref: events that wait for company must not keep the host's process alive.
    else this.#timer ??= setTimeout(() => void this.#drain(), this.#options.flushIntervalMs).unref();
  }

  stats(): ClientStats {
    return {
      queued: this.#queue.length,
      sent: this.#sent,
      dropped: this.#dropped,
      lastError: this.#lastError,
    };
  }

  async flush(timeoutMs = 30_000): Promise<ClientStats> {
    const done = new AbortController();
    const deadline = sleep(timeoutMs, undefined, { signal: done.signal }).catch(() => undefined);
    await Promise.race([this.#drain(), deadline]);
    done.abort();
    return this.stats();
  }

  async shutdown(timeoutMs = 10_000): Promise<ClientStats> {
    this.#closed = true;
    await this.flush(timeoutMs);
    this.#stop.abort();
    await this.#draining;
    this.#dropped += this.#queue.length;
    this.#queue = [];
    return this.stats();
  }

  /** One batch at a time, so that events arrive in order; a batch stays in the queue until its fate is known. */
  #drain(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draining ??= this.#deliverAll().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  async #deliverAll(): Promise<void> {
    while (this.#queue.length > 0 && !this.#stop.signal.aborted) {
      const batch = this.#queue.slice(0, this.#options.batchSize);
      const sent = await this.#deliver(batch);
      if (sent === null) return;
      this.#sent += sent;
      this.#dropped += batch.length - sent;
      this.#queue.splice(0, batch.length);
    }
  }

  /** Number of events of the batch the service took (the others it refused for good); null when stopped before. */
  async #deliver(batch: string[]): Promise<number | null> {
    const idempotencyKey = randomUUID();
    for (let attempt = 0; !this.#stop.signal.aborted; attempt++) {
      const delivery = await this.#post(batch, idempotencyKey);
      this.#lastError = delivery.error;
      if (delivery.kind === 'accepted') return batch.length;
      if (delivery.kind === 'refused') return this.#deliverRest(batch, delivery);
      const delay = delivery.retryAfterMs ?? this.#options.retryDelayMs * 2 ** attempt;
      const { signal } = this.#stop;
      await sleep(backoffMs(delay, delivery.retryAfterMs !== null), undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
    return null;
  }

  /** A faulty event must not take its neighbours along: they go again, under a key of their own. */
  async #deliverRest(batch: string[], refusal: Delivery): Promise<number | null> {
    const { faulty, status } = refusal;
    const rest = batch.filter((_event, index) => !faulty.includes(index));
    if (rest.length < batch.length) return rest.length === 0 ? 0 : this.#deliver(rest);
    if (status !== 413 || batch.length < 2) return 0;
    const half = Math.ceil(batch.length / 2);
    const front = await this.#deliver(batch.slice(0, half));
    const back = front === null ? null : await this.#deliver(batch.slice(half));
    return front === null || back === null ? null : front + back;
  }

  async #post(batch: string[], idempotencyKey: string): Promise<Delivery> {
    const { baseUrl, key, requestTimeoutMs } = this.#options;
    try {
      const response = await this.#options.fetch(`${baseUrl.replace(/\/+$/, '')}/v1/ereignisse`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: `{"ereignisse":[${batch.join(',')}]}`,
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(requestTimeoutMs)]),
      });
      return await deliveryOf(response);
    } catch (error) {
      return failedDelivery(error);
    }
  }
}

/** A client that sends events in batches, in the background, and never disturbs its host. */
export function createClient(options: ClientOptions): Client {
  return new QueueingClient({
    batchSize: 100,
    maxQueue: 10_000,
    fetch: globalThis.fetch,
    flushIntervalMs: 1_000,
    retryDelayMs: 500,
    requestTimeoutMs: 10_000,
    ...options,
  });
}
