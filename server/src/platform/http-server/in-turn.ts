/** One request of a connection at a time; those that come meanwhile wait, and nothing more is read from it. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Two thirds of all places are the most that one connection may take: more than fit into what is read of it at once. */
const MOST_OF_FREE = 2;

/** The flag by which Node itself stops reading from a connection that takes no answers; its types leave it out. */
type Pausable = Socket & { _paused?: boolean };

type Exchange = [request: IncomingMessage, response: ServerResponse];

interface Line {
  underWay: boolean;
  waiting: Exchange[];
}

/** Until an answer has gone out: after that Node goes on by itself. */
function stopReading(socket: Pausable): void {
  socket._paused = true;
  socket.pause();
}

/** As Node does it, for which the event is the sign. */
const goOnReading = (socket: Socket) => socket.emit('drain');

/**
 * Wraps what answers requests. Of a packet of requests Node hands over all at once, and their answers would be made before the first is
 * read. So a request is handed on when the answer before it has left the process. With more than `most` waiting on all connections, the
 * one that brings more than its share is cut off.
 */
export function inTurn(handle: RequestListener, most: number): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  let total = 0;

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket);
    if (known) return known;
    const line: Line = { underWay: false, waiting: [] };
    lines.set(socket, line);
    // A large answer that has gone out has Node read on, whatever waits.
    socket.on('drain', () => line.waiting.length > 0 && stopReading(socket));
    return line;
  };

  const begin = (socket: Socket, line: Line, [request, response]: Exchange): void => {
    line.underWay = true;
    response.once('close', () => {
      line.underWay = false;
      next(socket, line);
    });
    handle(request, response);
  };

  const next = (socket: Socket, line: Line): void => {
    // After an answer that ends the connection nothing more is done on it.
    if (!socket.writable) {
      total -= line.waiting.length;
      line.waiting = [];
      return;
    }
    const exchange = line.waiting.shift();
    if (!exchange) return;
    total -= 1;
    begin(socket, line, exchange);
    if (line.waiting.length === 0) goOnReading(socket);
  };

  return (request, response) => {
    const { socket } = request;
    if (!socket.writable) return;
    const line = lineOf(socket);
    if (!line.underWay) return begin(socket, line, [request, response]);
    if (line.waiting.length + 1 > MOST_OF_FREE * (most - total - 1)) return void socket.destroy();
    line.waiting.push([request, response]);
    total += 1;
    stopReading(socket);
  };
}
