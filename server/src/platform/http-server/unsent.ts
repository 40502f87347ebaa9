/** Answers that wait to be taken: how many bytes in all, and for how long. Who does not read is cut off. */
import type { Socket } from 'node:net';
import type { Log } from '../log.ts';

export interface UnsentLimits {
  /** Bytes of answers that wait on all connections. */
  bytes: number;
  /** Milliseconds in which something of an answer must be taken. */
  patience: number;
}

/** What was handed to the system and not taken yet; Node's types leave it out. */
type Writing = Socket & { _handle?: { writeQueueSize: number } | null };

interface Backlog {
  bytes: number;
  /** Of a large piece the system takes one part after the other: its bytes are all held until the last is taken. */
  queued: number;
  /** When something of it was taken last. */
  since: number;
}

export interface Unsent {
  /** Looks at a connection until it is closed. */
  watch(socket: Socket): void;
  /** Called when an answer was written. */
  note(socket: Socket): void;
  start(): void;
  stop(): void;
  /** Bytes that wait. */
  readonly bytes: number;
}

class UnsentAnswers implements Unsent {
  readonly #most: number;
  readonly #patience: number;
  readonly #log: Log;
  readonly #open = new Set<Socket>();
  /** Of connections with something unsent; first comes the one that has taken nothing for longest. */
  readonly #backlogs = new Map<Socket, Backlog>();
  #total = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ bytes, patience }: UnsentLimits, log: Log) {
    this.#most = bytes;
    this.#patience = patience;
    this.#log = log;
  }

  get bytes(): number {
    return this.#total;
  }

  watch(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#forget(socket);
    });
  }

  note(socket: Socket): void {
    this.#look(socket);
    this.#shed();
  }

  start(): void {
    this.#timer = setInterval(() => this.#sweep(), Math.min(1_000, this.#patience)).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sweep(): void {
    for (const socket of this.#open) this.#look(socket);
    const latest = performance.now() - this.#patience;
    for (const [socket, { since }] of this.#backlogs) if (since < latest) this.#cut(socket, 'patience');
    this.#shed();
  }

  #shed(): void {
    if (this.#total <= this.#most) return;
    for (const socket of [...this.#backlogs.keys()]) this.#look(socket);
    for (const socket of this.#backlogs.keys()) {
      if (this.#total <= this.#most) return;
      this.#cut(socket, 'room');
    }
  }

  #look(socket: Writing): void {
    // One that was cut holds its bytes until it is closed, within the same turn of the event loop.
    const bytes = socket.destroyed ? 0 : socket.writableLength;
    const known = this.#backlogs.get(socket);
    if (!known && bytes === 0) return;
    const queued = socket._handle?.writeQueueSize ?? 0;
    if (known?.bytes === bytes && known.queued === queued) return;
    this.#forget(socket);
    if (bytes === 0) return;
    this.#backlogs.set(socket, { bytes, queued, since: performance.now() });
    this.#total += bytes;
  }

  #cut(socket: Socket, reason: string): void {
    this.#log.info({ reason, unsent: socket.writableLength }, 'connection cut: its answer is not taken');
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#total -= this.#backlogs.get(socket)?.bytes ?? 0;
    this.#backlogs.delete(socket);
  }
}

export const createUnsent = (limits: UnsentLimits, log: Log): Unsent => new UnsentAnswers(limits, log);
