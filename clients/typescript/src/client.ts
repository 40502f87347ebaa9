import { v7 as uuidv7 } from 'uuid';
import { backoffMs, type Delivery, deliveryOf, failedDelivery } from './delivery.ts';
import { agentOf, type Vorhaben } from './eingriffe/decide.ts';
import { type Ask, GUARD_DEFAULTS, Guard, type GuardOptions, type GuardState } from './eingriffe/guard.ts';
import { quietGet } from './eingriffe/quiet-get.ts';
import type { Ereignis, Exchange } from './event.ts';
import type { KeyedPrints } from './prints/sim-hash.ts';
import { MAX_TIMER_MS, quietSleep, quietTimer } from './timer.ts';
import { type Conversion, toEvents } from './to-events.ts';

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
  /** Instead of the global one; whether a question for interventions keeps the process alive is then up to it. */
  fetch?: typeof fetch;
  /** How calls are guarded; what is left out stays as it is by default. */
  guard?: Partial<GuardOptions>;
  /** How long a batch that is not full waits for more events. */
  flushIntervalMs?: number;
  /** First delay after a failure; it doubles up to half a minute. */
  retryDelayMs?: number;
  requestTimeoutMs?: number;
  /** Told of every call of a model that `record` could not convert, and why. What it throws is lost. */
  onUnconverted?: (reason: string, exchange: Exchange) => void;
}

/** What the caller knows of a call, for all events that an exchange gives. */
export type Recorded = Omit<Ereignis, 'ereignis_id'>;

/** Where the events handed over so far are. */
export interface ClientStats {
  queued: number;
  sent: number;
  dropped: number;
  /** Calls of a model that `record` was shown and could not convert: they are missing in all figures. */
  unconverted: number;
  /** Why the latest request failed, null while all is well. */
  lastError: string | null;
}

/** A sender in the background, and a guard before calls. None of its functions throws or rejects, but `guard`. */
export interface Client {
  /**
   * To be asked before every call of a model, with what is known of it. Resolves when it may be made; at once, unless it is slowed
   * down or the very first. Rejects with `StoppedByIntervention` when it must not be made, with `InterventionsUnknown` (only with
   * `failure: 'closed'`), or with the reason of `signal`.
   */
  guard(call: Vorhaben, ask?: Ask): Promise<void>;
  /** What is known of interventions. */
  guardState(): GuardState;
  /** Queues one event; it gets an `ereignis_id` and, where it has no time, the present one. */
  send(event: Ereignis): void;
  /**
   * Converts an exchange with a provider and queues its events, each with what `call` says. What is no call of a model
   * gives none; one that cannot be converted is counted in `stats` and told to `onUnconverted`.
   */
  record(exchange: Exchange, call?: Recorded): void;
  /** Resolves when all queued events are delivered, at the latest after `timeoutMs` (default 30 s). */
  flush(timeoutMs?: number): Promise<ClientStats>;
  /** Delivers what it can within `timeoutMs` (default 10 s), drops the rest and stops for good; also listening for interventions. */
  shutdown(timeoutMs?: number): Promise<ClientStats>;
  stats(): ClientStats;
}

interface Queued {
  /** Serialised when queued: a retry must repeat the very bytes, and later changes by the host must not show. */
  json: string;
  agent: string;
}

type SenderOptions = Required<Omit<ClientOptions, 'guard'>>;

/** Converts whatever it is given: a fault of the converter must not reach the host, and is a call not converted. */
function conversionOf(exchange: Exchange, keyed: KeyedPrints | null): Conversion {
  try {
    return toEvents(exchange, new Date(), keyed);
  } catch (error) {
    return { events: [], unconverted: [String(error)] };
  }
}

class QueueingClient implements Client {
  readonly #options: SenderOptions;
  readonly #guard: Guard;
  #queue: Queued[] = [];
  #sent = 0;
  #dropped = 0;
  #unconverted = 0;
  #lastError: string | null = null;
  #closed = false;
  #draining: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #stop = new AbortController();

  constructor(options: SenderOptions, guard: Guard) {
    this.#options = options;
    this.#guard = guard;
  }

  guard(call: Vorhaben, ask: Ask = {}): Promise<void> {
    return this.#guard.pass(call, ask);
  }

  guardState(): GuardState {
    return this.#guard.state();
  }

  send(event: Ereignis): void {
    if (this.#closed || this.#queue.length >= this.#options.maxQueue) {
      this.#dropped++;
      return;
    }
    try {
      const zeitpunkt = event.zeitpunkt ?? new Date().toISOString();
      const json = JSON.stringify({ ...event, ereignis_id: event.ereignis_id ?? uuidv7(), zeitpunkt });
      this.#queue.push({ json, agent: agentOf(event) });
    } catch (error) {
      this.#dropped++;
      this.#lastError = String(error);
      return;
    }
    if (this.#queue.length >= this.#options.batchSize) void this.#drain();
    // Events that wait for company must not keep the host's process alive.
    else this.#timer ??= quietTimer(() => void this.#drain(), this.#options.flushIntervalMs);
  }

  record(exchange: Exchange, call: Recorded = {}): void {
    const { events, unconverted } = conversionOf(exchange, this.#guard.prints());
    for (const event of events) {
      const zusatz = { ...event.zusatz, ...call.zusatz };
      this.send({ ...event, ...call, zusatz: Object.keys(zusatz).length === 0 ? null : zusatz });
    }
    this.#unconverted += unconverted.length;
    for (const reason of unconverted) {
      try {
        this.#options.onUnconverted(reason, exchange);
      } catch (error) {
        this.#lastError = String(error);
      }
    }
  }

  stats(): ClientStats {
    return {
      queued: this.#queue.length,
      sent: this.#sent,
      dropped: this.#dropped,
      unconverted: this.#unconverted,
      lastError: this.#lastError,
    };
  }

  async flush(timeoutMs = 30_000): Promise<ClientStats> {
    let deadline: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      deadline = setTimeout(resolve, Math.min(timeoutMs, MAX_TIMER_MS));
    });
    await Promise.race([this.#drain(), late]);
    clearTimeout(deadline);
    return this.stats();
  }

  async shutdown(timeoutMs = 10_000): Promise<ClientStats> {
    this.#closed = true;
    this.#guard.close();
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
  async #deliver(batch: Queued[]): Promise<number | null> {
    const idempotencyKey = crypto.randomUUID();
    for (let attempt = 0; !this.#stop.signal.aborted; attempt++) {
      const delivery = await this.#post(batch, idempotencyKey);
      this.#lastError = delivery.error;
      if (delivery.eingriffe) this.#guard.learn(new Set(batch.map(({ agent }) => agent)), delivery.eingriffe);
      if (delivery.kind === 'accepted') return batch.length;
      if (delivery.kind === 'refused') return this.#deliverRest(batch, delivery);
      const delay = delivery.retryAfterMs ?? this.#options.retryDelayMs * 2 ** attempt;
      await quietSleep(backoffMs(delay, delivery.retryAfterMs !== null), this.#stop.signal);
    }
    return null;
  }

  /** A faulty event must not take its neighbours along: they go again, under a key of their own. */
  async #deliverRest(batch: Queued[], refusal: Delivery): Promise<number | null> {
    const { faulty, status } = refusal;
    const rest = batch.filter((_event, index) => !faulty.includes(index));
    if (rest.length < batch.length) return rest.length === 0 ? 0 : this.#deliver(rest);
    if (status !== 413 || batch.length < 2) return 0;
    const half = Math.ceil(batch.length / 2);
    const front = await this.#deliver(batch.slice(0, half));
    const back = front === null ? null : await this.#deliver(batch.slice(half));
    return front === null || back === null ? null : front + back;
  }

  async #post(batch: Queued[], idempotencyKey: string): Promise<Delivery> {
    const { baseUrl, key, requestTimeoutMs } = this.#options;
    try {
      const response = await this.#options.fetch(`${baseUrl.replace(/\/+$/, '')}/v1/ereignisse`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: `{"ereignisse":[${batch.map(({ json }) => json).join(',')}]}`,
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(requestTimeoutMs)]),
      });
      return await deliveryOf(response);
    } catch (error) {
      return failedDelivery(error);
    }
  }
}

/**
 * A client that sends events in batches, in the background, and never disturbs its host; and that says before a call of a model
 * whether it may be made. It listens for interventions from the first time it is asked.
 */
export function createClient({ guard, ...given }: ClientOptions): Client {
  const options = {
    batchSize: 100,
    maxQueue: 10_000,
    fetch: globalThis.fetch,
    flushIntervalMs: 1_000,
    retryDelayMs: 500,
    requestTimeoutMs: 10_000,
    onUnconverted: () => undefined,
    ...given,
  };
  const connection = { ...options, get: given.fetch ?? quietGet };
  return new QueueingClient(options, new Guard({ ...GUARD_DEFAULTS, ...guard }, connection));
}
