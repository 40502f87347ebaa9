/** A client of the service for each key: its guard, its reservations, its queue and its disk. They are the package's. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Client, createSender, Observer, RunContext } from '#client/transport.ts';
import type { ProxyConfig } from './config.ts';
import type { Log } from './log.ts';
import { Refusal } from './refusal.ts';
import { serviceFetch } from './service.ts';

/** Who calls by one key. */
export interface Sender {
  observer: Observer;
  context: RunContext;
  /** Whether the service has said that it knows no such key. */
  isUnknown(): boolean;
}

interface Kept extends Sender {
  client: Client;
  usedAt: number;
}

/** Each of them asks the service all the time. */
const MAX_KEYS = 500;
/** A sender without a call for this long, and without anything that waits, is let go. */
const IDLE_MS = 10 * 60_000;
/** So much is lost of what was counted when the process is killed. */
const FLUSH_MS = 200;
/** Counts that wait are no prompts: a kilobyte a call. */
const MAX_BUFFER_BYTES = 500_000_000;

export interface SenderSums {
  keys: number;
  queued: number;
  buffered: number;
  sent: number;
  dropped: number;
  unconverted: number;
  /** Of the keys those that the service does not answer. */
  unheard: number;
}

type Given = Pick<ProxyConfig, 'serviceUrl' | 'failure' | 'firstAnswerMs' | 'unreservedCalls' | 'dataDir'>;

export class Senders {
  readonly #given: Given;
  readonly #log: Log;
  readonly #kept = new Map<string, Kept>();

  constructor(given: Given, log: Log) {
    this.#given = given;
    this.#log = log;
  }

  /** Those of a key; begins to listen with the first call. Throws a `Refusal` where there are too many. */
  of(key: string): Sender {
    const kept = this.#kept.get(key) ?? this.#begin(key);
    kept.usedAt = performance.now();
    return kept;
  }

  /** Delivers what an earlier process has left on disk for a key. */
  deliver(key: string): void {
    void (this.of(key) as Kept).client.flush(1);
  }

  sums(): SenderSums {
    const all = [...this.#kept.values()];
    const sum = (of: (client: Client) => number) => all.reduce((total, { client }) => total + of(client), 0);
    return {
      keys: all.length,
      queued: sum((client) => client.stats().queued),
      buffered: sum((client) => client.stats().buffered),
      sent: sum((client) => client.stats().sent),
      dropped: sum((client) => client.stats().dropped),
      unconverted: sum((client) => client.stats().unconverted),
      unheard: sum((client) => (client.guardState().lastError === null ? 0 : 1)),
    };
  }

  /** Delivers what it can in that time; the rest stays on disk. */
  async close(timeoutMs: number): Promise<void> {
    const all = [...this.#kept.values()];
    for (const { observer } of all) observer.close();
    await Promise.all(all.map(({ client }) => client.shutdown(timeoutMs)));
  }

  #begin(key: string): Kept {
    this.#letGoIdle();
    if (this.#kept.size >= MAX_KEYS)
      throw new Refusal(503, 'zu_viele_schluessel', 'too many keys are in use at once');
    const { serviceUrl: baseUrl, failure, firstAnswerMs, unreservedCalls, dataDir } = this.#given;
    const place = createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex').slice(0, 16);
    const client = createSender({
      baseUrl,
      key,
      fetch: serviceFetch,
      bufferDirectory: join(dataDir, place),
      maxBufferBytes: MAX_BUFFER_BYTES,
      flushIntervalMs: FLUSH_MS,
      guard: { failure, firstAnswerMs, unreservedCalls },
      onUnconverted: (reason) => this.#log.warn({ reason }, 'a call could not be counted'),
    });
    const context = new RunContext({});
    const kept: Kept = {
      client,
      context,
      observer: new Observer(client, context),
      usedAt: 0,
      isUnknown: () => client.guardState().lastError?.startsWith('HTTP 401') ?? false,
    };
    this.#kept.set(key, kept);
    return kept;
  }

  #letGoIdle(): void {
    const before = performance.now() - IDLE_MS;
    for (const [key, { client, usedAt }] of this.#kept) {
      const { queued, buffered } = client.stats();
      if (usedAt > before || queued + buffered > 0) continue;
      this.#kept.delete(key);
      void client.shutdown(1_000);
    }
  }
}
