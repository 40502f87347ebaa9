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

export function createUnsent({ bytes: most, patience }: UnsentLimits, log: Log): Unsent {
  const open = new Set<Socket>();
  /** Of connections with something unsent; first comes the one that has taken nothing for longest. */
  const backlogs = new Map<Socket, Backlog>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;

  const forget = (socket: Socket): void => {
    total -= backlogs.get(socket)?.bytes ?? 0;
    backlogs.delete(socket);
  };

  const look = (socket: Writing): void => {
    const bytes = socket.writableLength;
    const known = backlogs.get(socket);
    if (!known && bytes === 0) return;
    const queued = socket._handle?.writeQueueSize ?? 0;
    if (known?.bytes === bytes && known.queued === queued) return;
    forget(socket);
    if (bytes === 0) return;
    backlogs.set(socket, { bytes, queued, since: performance.now() });
    total += bytes;
  };

  const cut = (socket: Socket, reason: string): void => {
    log.info({ reason, unsent: socket.writableLength }, 'connection cut: its answer is not taken');
    forget(socket);
    socket.destroy();
  };

  const shed = (): void => {
    if (total <= most) return;
    for (const socket of [...backlogs.keys()]) look(socket);
    for (const socket of backlogs.keys()) {
      if (total <= most) return;
      cut(socket, 'room');
    }
  };

  const sweep = (): void => {
    for (const socket of open) look(socket);
    const latest = performance.now() - patience;
    for (const [socket, { since }] of backlogs) if (since < latest) cut(socket, 'patience');
    shed();
  };

  return {
    watch(socket) {
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        forget(socket);
      });
    },
    note(socket) {
      look(socket);
      shed();
    },
    start() {
      timer = setInterval(sweep, Math.min(1_000, patience)).unref();
    },
    stop: () => clearInterval(timer),
    get bytes() {
      return total;
    },
  };
}
