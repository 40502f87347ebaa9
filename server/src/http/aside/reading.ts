/**
 * The side of the event loop: hands bodies that are large or packed to the reading thread, so that reading them holds up no
 * other request. Each Mandant has a queue of its own, and the one whose bodies have cost least has the next turn: whatever
 * others send, one that sends little waits for what is under way only.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Worker } from 'node:worker_threads';
import { unavailable } from '#kernel/errors.ts';
import type { Log } from '#platform/log.ts';
import { isPacked, unpackedAtMost } from '../body.ts';
import type { ReadBody } from '../readers.ts';
import { alone, bodyOfOutcome, type ToRead, type WasRead } from './messages.ts';

/** What is read in a thread: each kind in one of its own, so that none waits for another. */
export type Kind = 'batches' | 'files';
/** Bytes: smaller bodies cost less to read than to hand over. Files are dearer by the byte. */
const READ_HERE: Record<Kind, number> = { batches: 128 * 1024, files: 4 * 1024 };
/** Bytes, unpacked, that may be on their way to the thread beside another body, so that it need not wait for the next one. */
const UNDER_WAY = 2 * 1024 * 1024;
/** What one body may hold takes a fraction of this. */
const MEMORY = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 128 };
/** Milliseconds booked on the sender that has brought the thread down. */
const COST_OF_A_FALL = 1_000;

/** A body on its way to the thread. */
interface Sent {
  operation: string;
  /** Whose queue it waits in. */
  holder: string | null;
  raw: Buffer;
  header: IncomingHttpHeaders;
  receivedAt: Date;
  /** Plain values. */
  known: unknown;
  /** Asked again when its turn comes; what it throws is the answer. */
  mayGoOn: () => void;
  /** Told how many milliseconds of CPU time the body has cost, whatever has become of it, and how many its content was worth. */
  onCost: (cpu: number, worth: number) => void;
}

interface Reading {
  /** Whether a body is one for the thread. */
  takes(raw: Buffer, header: IncomingHttpHeaders): boolean;
  /** Resolves with what its reader there has made of it; throws what that has thrown, 503 when the thread ends before. */
  read(sent: Sent): Promise<ReadBody<unknown>>;
  stop(): Promise<void>;
}

interface Job extends Sent {
  size: number;
  resolve(body: ReadBody<unknown>): void;
  reject(error: unknown): void;
}

const unread = () =>
  unavailable('ueberlastet', {
    de: 'Die Anfrage konnte nicht gelesen werden.',
    en: 'The request could not be read.',
  });

/** Bytes come back as plain arrays. */
function asBuffers(body: ReadBody<unknown>): ReadBody<unknown> {
  if (body.ok && typeof body.value === 'object' && body.value !== null) {
    const value = body.value as Record<string, unknown>;
    for (const [name, item] of Object.entries(value))
      if (item instanceof Uint8Array)
        value[name] = Buffer.from(item.buffer, item.byteOffset, item.byteLength);
  }
  return body;
}

interface Queue {
  jobs: Job[];
  /** What its turns have cost, counted from where it came in; milliseconds of CPU time. */
  spent: number;
}

/** Jobs by holder; the one that has spent least comes next (start-time fair queueing). */
class Turns {
  readonly #queues = new Map<string | null, Queue>();
  /** What the holder of the last turn had spent before it; newcomers begin there. */
  #level = 0;

  add(job: Job): void {
    const queue = this.#queues.getOrInsertComputed(job.holder, () => ({ jobs: [], spent: this.#level }));
    queue.spent = Math.max(queue.spent, this.#level);
    queue.jobs.push(job);
  }

  next(): Job | undefined {
    let least: Queue | undefined;
    for (const [holder, queue] of this.#queues) {
      // One that has nothing more waiting is kept only while it has spent more than others.
      if (queue.jobs.length === 0 && queue.spent <= this.#level) this.#queues.delete(holder);
      else if (queue.jobs.length > 0 && (!least || queue.spent < least.spent)) least = queue;
    }
    this.#level = Math.max(this.#level, least?.spent ?? 0);
    return least?.jobs.shift();
  }

  hasCost(holder: string | null, cost: number): void {
    const queue = this.#queues.get(holder);
    if (queue) queue.spent += cost;
  }
}

/** Bytes that a body may have at most when it is unpacked. */
const sizeOf = ({ raw, header }: Sent): number =>
  isPacked(header['content-encoding']) ? unpackedAtMost(raw.length) : raw.length;

function settle(job: Job, { cpu, outcome }: WasRead): void {
  try {
    const body = asBuffers(bodyOfOutcome(outcome));
    job.onCost(cpu, body.ok ? (body.worth ?? 0) : 0);
    job.resolve(body);
  } catch (error) {
    job.onCost(cpu, 0);
    job.reject(error);
  }
}

/** The thread is started with the first body for it. */
class ThreadReading implements Reading {
  readonly #kind: Kind;
  readonly #entry: URL;
  readonly #log: Log;
  readonly #turns = new Turns();
  readonly #underWay = new Map<number, Job>();
  #bytesUnderWay = 0;
  #thread: Worker | null = null;
  #stopped = false;
  #number = 0;

  constructor(kind: Kind, entry: URL, log: Log) {
    this.#kind = kind;
    this.#entry = entry;
    this.#log = log;
  }

  takes(raw: Buffer, header: IncomingHttpHeaders): boolean {
    return raw.length > READ_HERE[this.#kind] || isPacked(header['content-encoding']);
  }

  read(sent: Sent): Promise<ReadBody<unknown>> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadBody<unknown>>();
    this.#turns.add({ ...sent, size: sizeOf(sent), resolve, reject });
    this.#advance();
    return promise;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#thread?.terminate();
  }

  #advance(): void {
    while (this.#hasRoom()) {
      const job = this.#turns.next();
      if (!job) return;
      try {
        if (this.#stopped) throw unread();
        job.mayGoOn();
        this.#handOver(job);
      } catch (error) {
        job.reject(error);
      }
    }
  }

  /** A second body is handed over beside one that is small, so that the thread need not wait for it. */
  #hasRoom(): boolean {
    const { size } = this.#underWay;
    return size === 0 || (size === 1 && this.#bytesUnderWay <= UNDER_WAY);
  }

  #handOver(job: Job): void {
    this.#number += 1;
    const number = this.#number;
    this.#thread ??= this.#launch();
    const raw = alone(job.raw);
    const { operation, header, receivedAt, known } = job;
    const message: ToRead = { number, operation, raw, header, receivedAt, known };
    this.#thread.postMessage(message, [raw.buffer]);
    this.#underWay.set(number, job);
    this.#bytesUnderWay += job.size;
  }

  #launch(): Worker {
    const started = new Worker(this.#entry, { resourceLimits: MEMORY });
    started.unref();
    started.on('message', (answer: WasRead) => this.#take(answer));
    started.on('error', (error) => this.#log.error({ err: error }, 'reading thread failed'));
    started.on('exit', () => this.#giveUp());
    return started;
  }

  #take(answer: WasRead): void {
    const job = this.#underWay.get(answer.number);
    if (!job) return;
    this.#underWay.delete(answer.number);
    this.#bytesUnderWay -= job.size;
    this.#turns.hasCost(job.holder, answer.cpu);
    settle(job, answer);
    this.#advance();
  }

  /** What the thread had is lost with it. */
  #giveUp(): void {
    this.#thread = null;
    for (const job of this.#underWay.values()) {
      job.onCost(COST_OF_A_FALL, 0);
      job.reject(unread());
    }
    this.#underWay.clear();
    this.#bytesUnderWay = 0;
    this.#advance();
  }
}

export type Readings = Record<Kind, Reading>;

/** The threads of all kinds, by the modules that run in them. */
export const createReadings = (entries: Record<Kind, URL>, log: Log): Readings => ({
  batches: new ThreadReading('batches', entries.batches, log),
  files: new ThreadReading('files', entries.files, log),
});
