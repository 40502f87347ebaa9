/**
 * HTTP servers whose memory does not follow from who reads: a connection has one request under way at a time, and what waits to be read
 * is bounded in bytes and time.
 */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Log } from '../log.ts';
import { MEMORY } from '../memory.ts';
import { inTurn } from './in-turn.ts';
import { createUnsent, type UnsentLimits } from './unsent.ts';

export interface OutgoingLimits extends UnsentLimits {
  /** Requests that came before the answer to the one before them had gone out, on all connections. */
  waiting: number;
}

/** Within this time something of an answer must be taken, in milliseconds. */
const SEND_TIMEOUT = 30_000;

export const OUTGOING: OutgoingLimits = {
  bytes: MEMORY.unsent,
  patience: SEND_TIMEOUT,
  waiting: MEMORY.waiting,
};

/** Like Node's `createServer`. */
export function createBoundedServer(
  options: ServerOptions,
  handle: RequestListener,
  { log, limits = OUTGOING }: { log: Log; limits?: OutgoingLimits },
): Server {
  const unsent = createUnsent(limits, log);
  const answered: RequestListener = (request, response) => {
    response.once('prefinish', () => unsent.note(request.socket));
    handle(request, response);
  };
  return createServer(options, inTurn(answered, limits.waiting))
    .on('connection', (socket) => unsent.watch(socket))
    .on('listening', () => unsent.start())
    .on('close', () => unsent.stop());
}
