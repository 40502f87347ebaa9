/** The queue of events and its way to the service, in the background. */
import { backoffMs, type Delivery, deliveryOf, failedDelivery } from './delivery.ts';
import type { Eingriff } from './eingriffe/eingriff.ts';
import { at, text } from './json.ts';
import { beforeTheEnd } from './lifecycle.ts';
import type { Segment, Spool } from './spool.ts';
import { MAX_TIMER_MS, quietSleep, quietTimer } from './timer.ts';

export interface SenderOptions {
  baseUrl: string;
  key: string;
  batchSize: number;
  maxQueue: number;
  fetch: typeof fetch;
  flushIntervalMs: number;
  retryDelayMs: number;
  requestTimeoutMs: number;
  /** How long a process that has nothing else to do is kept for deliveries. */
  exitTimeoutMs: number;
  /** Where events wait while the service is away, asked for once they have to; null: in memory. */
  spool: () => Spool | null;
  /** Queues what has passed and is not queued yet. */
  settle: () => void;
  /** Told what an accepted batch of these agents was answered. */
  learn: (agents: ReadonlySet<string>, eingriffe: Eingriff[]) => void;
}

export interface SenderStats {
  /** In memory. */
  queued: number;
  /** Of the events handed over those that wait on disk. */
  buffered: number;
  sent: number;
  dropped: number;
  /** Why the latest request failed, null while all is well. */
  lastError: string | null;
}

/** Events that are delivered together. A retry repeats the very bytes under the same key. */
interface Batch {
  key: string;
  /** Serialised when queued: later changes by the host must not show. */
  lines: string[];
  /** Where it comes from the disk. */
  segment: Segment | null;
}

const inMemory = (lines: string[]): Batch => ({ key: crypto.randomUUID(), lines, segment: null });

const agentIn = (line: string): string => text(at(JSON.parse(line), 'agent')) ?? 'unbekannt';

/** Delivers events in batches, one at a time and in order. Nothing it does throws. */
export class Sender {
  readonly #options: SenderOptions;
  #queue: string[] = [];
  /** Batches that were tried and are kept in memory. */
  #pending: Batch[] = [];
  #underWay: Batch | null = null;
  #spool: Spool | null | undefined;
  #buffered = 0;
  #sent = 0;
  #dropped = 0;
  #lastError: string | null = null;
  /** Attempts that failed since the service was last there. */
  #failures = 0;
  #closed = false;
  #ending = false;
  #gaveUp = false;
  #draining: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #forget: (() => void) | undefined;
  readonly #stop = new AbortController();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Queues an event, as JSON. */
  push(line: string): void {
    if (this.#closed) {
      this.#dropped++;
      return;
    }
    this.attend();
    this.#gaveUp = false;
    if (this.#queue.length >= this.#options.maxQueue) this.#spill();
    if (this.#queue.length >= this.#options.maxQueue) {
      this.#dropped++;
      return;
    }
    this.#queue.push(line);
    if (this.#queue.length >= this.#options.batchSize) this.#tick();
    // Events that wait for company must not keep the host's process alive.
    else this.#timer ??= quietTimer(() => this.#tick(), this.#options.flushIntervalMs);
  }

  /** From now on there is something to lose when the process ends. */
  attend(): void {
    if (this.#closed) return;
    this.#forget ??= beforeTheEnd({
      isIdle: () => {
        this.#options.settle();
        return this.#gaveUp || this.#inMemory() === 0;
      },
      finish: () => this.#finish(),
      keep: () => {
        this.#options.settle();
        this.#keep();
      },
    });
  }

  /** Has it take nothing any more, and says why. */
  disable(reason: string): void {
    this.#closed = true;
    this.#lastError = reason;
  }

  /** Counts an event that could not even be queued. */
  refuse(error: unknown): void {
    this.#dropped++;
    this.#lastError = String(error);
  }

  note(error: unknown): void {
    this.#lastError = String(error);
  }

  stats(): SenderStats {
    return {
      queued: this.#inMemory(),
      buffered: this.#buffered,
      sent: this.#sent,
      dropped: this.#dropped,
      lastError: this.#lastError,
    };
  }

  /** Resolves when all is delivered, at the latest after this many milliseconds. */
  async flush(timeoutMs: number): Promise<void> {
    this.#options.settle();
    let deadline: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      deadline = setTimeout(resolve, Math.min(timeoutMs, MAX_TIMER_MS));
    });
    await Promise.race([this.#drain(), late]);
    clearTimeout(deadline);
  }

  /** Delivers what it can in that time, keeps the rest on disk where there is one, and stops for good. */
  async shutdown(timeoutMs: number): Promise<void> {
    this.#options.settle();
    this.#closed = true;
    await this.flush(timeoutMs);
    this.#stop.abort();
    await this.#draining;
    this.#keep();
    this.#dropped += this.#inMemory();
    this.#queue = [];
    this.#pending = [];
    this.#forget?.();
  }

  #inMemory(): number {
    const kept = [...this.#pending, ...(this.#underWay === null ? [] : [this.#underWay])];
    return this.#queue.length + kept.reduce((sum, { lines }) => sum + lines.length, 0);
  }

  /** Before a process ends that has nothing else to do: with a disk, the first failure is the last attempt. */
  async #finish(): Promise<void> {
    this.#ending = true;
    if (this.#failures === 0 || this.#disk() === null) await this.flush(this.#options.exitTimeoutMs);
    this.#keep();
    this.#ending = false;
    this.#gaveUp = true;
  }

  /** Keeps on disk what is in memory, also what is under way: it has the same ids, should it arrive twice. */
  #keep(): void {
    const disk = this.#inMemory() > 0 ? this.#disk() : null;
    if (disk === null) return;
    this.#pending = this.#pending.filter((batch) => !this.#written(disk, batch));
    if (this.#underWay?.segment === null && this.#written(disk, this.#underWay)) this.#underWay = null;
    this.#spill();
    disk.close();
  }

  #written(disk: Spool, { key, lines }: Batch): boolean {
    if (!disk.write(key, lines)) return false;
    this.#buffered += lines.length;
    return true;
  }

  #disk(): Spool | null {
    if (this.#spool === undefined) this.#spool = this.#options.spool();
    return this.#spool;
  }

  /** Moves the queue to the disk as far as that takes it. */
  #spill(): void {
    const disk = this.#disk();
    if (disk === null) return;
    const taken = this.#queue.findIndex((line) => !disk.append(line));
    const count = taken < 0 ? this.#queue.length : taken;
    this.#queue.splice(0, count);
    this.#buffered += count;
  }

  #tick(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // While the service is away, what comes goes to the disk: a process that is killed loses a second at most.
    if (this.#failures > 0) this.#spill();
    void this.#drain();
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#deliverAll().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  /** What is in memory first: its answers tell what is in force now. */
  #next(): Batch | null {
    const pending = this.#pending.shift();
    if (pending !== undefined) return pending;
    if (this.#queue.length > 0) return inMemory(this.#queue.splice(0, this.#options.batchSize));
    const segment = this.#disk()?.claim() ?? null;
    if (segment === null) this.#buffered = 0;
    return segment && { key: segment.key, lines: segment.lines, segment };
  }

  async #deliverAll(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const batch = this.#next();
      if (batch === null) return;
      const waitMs = await this.#deliver(batch);
      if (waitMs === null) continue;
      if (this.#ending && this.#disk() !== null) return;
      await quietSleep(waitMs, this.#stop.signal);
    }
  }

  /** Tries once; answers how long to wait where the service could not take it, and null where its fate is known. */
  async #deliver(batch: Batch): Promise<number | null> {
    this.#underWay = batch;
    const delivery = await this.#post(batch);
    const isKept = this.#underWay !== batch;
    this.#underWay = null;
    this.#lastError = delivery.error;
    if (delivery.eingriffe) this.#options.learn(new Set(batch.lines.map(agentIn)), delivery.eingriffe);
    if (delivery.kind === 'retry') {
      if (!isKept) this.#putBack(batch);
      const delay = delivery.retryAfterMs ?? this.#options.retryDelayMs * 2 ** this.#failures++;
      if (delivery.retryAfterMs !== null) this.#failures++;
      return backoffMs(delay, delivery.retryAfterMs !== null);
    }
    this.#failures = 0;
    if (batch.segment !== null) this.#buffered = Math.max(this.#buffered - batch.lines.length, 0);
    if (delivery.kind === 'accepted') this.#sent += batch.lines.length;
    else this.#sendRest(batch, delivery);
    batch.segment?.remove();
    return null;
  }

  #putBack(batch: Batch): void {
    const disk = this.#disk();
    if (batch.segment !== null) disk?.release(batch.segment);
    else if (disk === null || !this.#written(disk, batch)) this.#pending.unshift(batch);
    this.#spill();
  }

  /** A faulty event must not take its neighbours along: they go again, under a key of their own. */
  #sendRest({ lines }: Batch, { faulty, status }: Delivery): void {
    const rest = lines.filter((_line, index) => !faulty.includes(index));
    const half = Math.ceil(lines.length / 2);
    const isTooLarge = status === 413 && lines.length > 1;
    const parts = isTooLarge
      ? [lines.slice(0, half), lines.slice(half)]
      : rest.length < lines.length
        ? [rest]
        : [];
    const again = parts.filter((part) => part.length > 0).map(inMemory);
    this.#dropped += lines.length - again.reduce((sum, part) => sum + part.lines.length, 0);
    this.#pending.unshift(...again);
  }

  async #post({ key, lines }: Batch): Promise<Delivery> {
    const { baseUrl, key: secret, requestTimeoutMs } = this.#options;
    try {
      const response = await this.#options.fetch(`${baseUrl.replace(/\/+$/, '')}/v1/ereignisse`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: `{"ereignisse":[${lines.join(',')}]}`,
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(requestTimeoutMs)]),
      });
      return await deliveryOf(response);
    } catch (error) {
      return failedDelivery(error);
    }
  }
}
