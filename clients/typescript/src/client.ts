import { urlOf } from './address.ts';
import { defaultDirectory } from './buffer-directory.ts';
import type { Vorhaben } from './eingriffe/decide.ts';
import type { Eingriff } from './eingriffe/eingriff.ts';
import { type Ask, GUARD_DEFAULTS, Guard, type GuardOptions, type GuardState } from './eingriffe/guard.ts';
import { quietGet } from './eingriffe/quiet-get.ts';
import type { Ereignis, Exchange } from './event.ts';
import { Later } from './later.ts';
import { named } from './library.ts';
import type { KeyedPrints } from './prints/sim-hash.ts';
import { type Admission, bookedBy } from './reservierungen/reservations.ts';
import type { Reserver } from './reservierungen/reserver.ts';
import { Sender, type SenderStats } from './sender.ts';
import { Spool } from './spool.ts';
import { type Conversion, toEvents } from './to-events.ts';
import { uuidV7 } from './uuid.ts';

/** How the client reaches the service; times are milliseconds. */
export interface ClientOptions {
  /** Address of the service, for example `http://localhost:8080`; `ZAEHLWERK_URL` of the environment where left out. */
  baseUrl?: string;
  /** API key with the scope `Senden`; `ZAEHLWERK_KEY` of the environment where left out. */
  key?: string;
  /** Events per request. */
  batchSize?: number;
  /** Events held in memory at most; further ones go to disk, and where there is none they are dropped and counted. */
  maxQueue?: number;
  /**
   * Where events wait on disk while the service is away; `false`: nowhere. By default a directory of its own for each service and
   * key, in that for temporary files.
   */
  bufferDirectory?: string | false;
  /** Bytes on disk at most; further events are dropped and counted. */
  maxBufferBytes?: number;
  /** Instead of the global one; whether a question for interventions keeps the process alive is then up to it. */
  fetch?: typeof fetch;
  /** How calls are guarded; a setting left out has its default. */
  guard?: Partial<GuardOptions>;
  /** How long a batch that is not full waits for more events. */
  flushIntervalMs?: number;
  /** First delay after a failure; it doubles up to half a minute. */
  retryDelayMs?: number;
  requestTimeoutMs?: number;
  /** How long a process that has nothing else to do is kept for deliveries. */
  exitTimeoutMs?: number;
  /** Told of every call of a model that `record` could not convert, and why. What it throws is lost. */
  onUnconverted?: (reason: string, exchange: Exchange) => void;
}

/** What the caller knows of a call, for all events that an exchange gives. */
export type Recorded = Omit<Ereignis, 'ereignis_id'>;

/** Where the events handed over so far are. */
export interface ClientStats extends SenderStats {
  /** Calls of a model that `record` was shown and could not convert: they are missing in all figures. */
  unconverted: number;
}

/** A sender in the background, and a guard before calls. None of its functions throws or rejects, but `guard`. */
export interface Client {
  /**
   * To be asked before every call of a model, with what is known of it. Resolves when it may be made; at once, unless it is slowed
   * down or the very first. Rejects with `StoppedByIntervention` when it must not be made, with `InterventionsUnknown` (only with
   * `failure: 'closed'`), or with the reason of `signal`.
   */
  guard(call: Vorhaben, ask?: Ask): Promise<void>;
  /** What forbids a call that is under way, as far as is known at this moment; null where nothing does. */
  forbids(call: Vorhaben): Eingriff | null;
  /** What is known of interventions. */
  guardState(): GuardState;
  /** Queues one event; it gets an `ereignis_id`, which is returned, and, where it has no time, the present one. */
  send(event: Ereignis): string;
  /**
   * Converts an exchange with a provider and queues its events, each with what `call` says. What is no call of a model
   * gives none; one that cannot be converted is counted in `stats` and told to `onUnconverted`. Returns the ids of the events.
   * `admission`: what the call was admitted with, which its last event books.
   */
  record(exchange: Exchange, call?: Recorded, admission?: Admission | null): string[];
  /** Sets money aside for calls that have a hard limit: what connects libraries uses. */
  readonly reserver: Reserver;
  /** Resolves when all queued events are delivered, at the latest after `timeoutMs` (default 30 s). */
  flush(timeoutMs?: number): Promise<ClientStats>;
  /** Delivers what it can within `timeoutMs` (default 10 s), leaves the rest on disk and stops for good; also listening for interventions. */
  shutdown(timeoutMs?: number): Promise<ClientStats>;
  stats(): ClientStats;
}

/** Converts whatever it is given: a fault of the converter must not reach the host, and is a call not converted. */
function conversionOf(exchange: Exchange, keyed: KeyedPrints | null): Conversion {
  try {
    return toEvents(exchange, new Date(), keyed);
  } catch (error) {
    return { events: [], unconverted: [String(error)] };
  }
}

const MISSING = 'no address of a service, or no key: set baseUrl and key, or ZAEHLWERK_URL and ZAEHLWERK_KEY';

/** What connects libraries has its work done later. */
export type Connectable = Client & { readonly later: Later };

class QueueingClient implements Connectable {
  readonly reserver: Reserver;
  readonly later: Later;
  readonly #guard: Guard;
  readonly #sender: Sender;
  readonly #onUnconverted: NonNullable<ClientOptions['onUnconverted']>;
  #unconverted = 0;

  constructor(guard: Guard, sender: Sender, later: Later, onUnconverted: ClientOptions['onUnconverted']) {
    this.#guard = guard;
    this.later = later;
    this.reserver = guard.reserver;
    this.#sender = sender;
    this.#onUnconverted = onUnconverted ?? (() => undefined);
  }

  guard(call: Vorhaben, ask: Ask = {}): Promise<void> {
    return this.#guard.pass(call, ask);
  }

  forbids(call: Vorhaben): Eingriff | null {
    return this.#guard.forbids(call);
  }

  guardState(): GuardState {
    return this.#guard.state();
  }

  send(event: Ereignis): string {
    const ereignis_id = event.ereignis_id ?? uuidV7();
    try {
      const zeitpunkt = event.zeitpunkt ?? new Date().toISOString();
      this.#sender.push(JSON.stringify({ ...named(event), ereignis_id, zeitpunkt }));
    } catch (error) {
      this.#sender.refuse(error);
    }
    return ereignis_id;
  }

  record(exchange: Exchange, call: Recorded = {}, admission: Admission | null = null): string[] {
    const { events, unconverted } = conversionOf(exchange, this.#guard.prints());
    // Refused, or no call of a model after all: it costs nothing.
    if (exchange.status >= 400 || events.length === 0) admission?.part?.giveBack();
    else if (admission !== null) {
      // With the last of several: until then what was reserved stands for all of them.
      const last = events.at(-1) as Ereignis;
      last.zusatz = { ...last.zusatz, ...bookedBy(admission) };
    }
    const ids = events.map((event) => {
      const zusatz = { ...event.zusatz, ...call.zusatz };
      return this.send({ ...event, ...call, zusatz: Object.keys(zusatz).length === 0 ? null : zusatz });
    });
    this.#unconverted += unconverted.length;
    for (const reason of unconverted) {
      try {
        this.#onUnconverted(reason, exchange);
      } catch (error) {
        this.#sender.note(error);
      }
    }
    return ids;
  }

  stats(): ClientStats {
    this.later.settle();
    return { ...this.#sender.stats(), unconverted: this.#unconverted };
  }

  async flush(timeoutMs = 30_000): Promise<ClientStats> {
    await this.#sender.flush(timeoutMs);
    return this.stats();
  }

  async shutdown(timeoutMs = 10_000): Promise<ClientStats> {
    await this.#sender.shutdown(timeoutMs);
    await this.#guard.close();
    return this.stats();
  }
}

const DEFAULTS = {
  batchSize: 100,
  maxQueue: 10_000,
  maxBufferBytes: 50_000_000,
  flushIntervalMs: 1_000,
  retryDelayMs: 500,
  requestTimeoutMs: 10_000,
  exitTimeoutMs: 5_000,
};

/** Sends wishes to the service; a caller that is about to make a call waits for it. */
const poster =
  ({
    baseUrl,
    key,
    fetch,
    timeoutMs,
  }: {
    baseUrl: string;
    key: string;
    fetch: typeof globalThis.fetch;
    timeoutMs: number;
  }) =>
  async (body: string): Promise<string> => {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/v1/reservierungen`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${answer.slice(0, 200)}`);
    return answer;
  };

const fromEnvironment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];

/** The address of the service and the key, as given or from the environment; without both nothing is sent. */
function reachOf({ baseUrl, key }: ClientOptions): { baseUrl: string; key: string; isKnown: boolean } {
  const reach = {
    baseUrl: baseUrl ?? fromEnvironment('ZAEHLWERK_URL') ?? '',
    key: key ?? fromEnvironment('ZAEHLWERK_KEY') ?? '',
  };
  const isKnown = urlOf(reach.baseUrl) !== null && reach.key !== '';
  if (!isKnown) console.warn(`zaehlwerk: nothing is counted, ${MISSING}`);
  return { ...reach, isKnown };
}

/**
 * A client that sends events in batches, in the background, and never disturbs its host; and that says before a call of a model
 * whether it may be made. It listens for interventions from the first time it is asked. Without an address or a key it counts
 * nothing, and says so once.
 */
export function createClient(given: ClientOptions = {}): Connectable {
  const { isKnown, ...reach } = reachOf(given);
  // As it is now, should the host put another one in its place; and never as a method, which browsers refuse.
  const reachOut = given.fetch ?? globalThis.fetch;
  const options = {
    ...DEFAULTS,
    ...given,
    ...reach,
    fetch: (...request: Parameters<typeof fetch>) => reachOut(...request),
  };
  const { guard: guardOptions, bufferDirectory, maxBufferBytes, batchSize } = options;
  const guard = new Guard(
    { ...GUARD_DEFAULTS, ...guardOptions },
    { ...options, get: given.fetch ?? quietGet },
    poster({ ...reach, fetch: options.fetch, timeoutMs: options.requestTimeoutMs }),
  );
  const later = new Later(() => sender.attend());
  const sender = new Sender({
    ...options,
    settle: () => later.settle(),
    learn: (agents, eingriffe) => guard.learn(agents, eingriffe),
    spool: () => {
      if (bufferDirectory === false) return null;
      const directory = bufferDirectory ?? defaultDirectory(reach.baseUrl, reach.key);
      return directory === null ? null : Spool.in(directory, maxBufferBytes, batchSize);
    },
  });
  if (!isKnown) sender.disable(MISSING);
  return new QueueingClient(guard, sender, later, given.onUnconverted);
}
