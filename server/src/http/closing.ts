/** How the app stops: what is under way is answered, what is on its way gets 503, and no connection is cut in between. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { unavailable } from '#kernel/errors.ts';

/** Longer than a request is on its way that was sent before its sender could know. */
const GRACE = 1_000;
/** Longer than any request takes that has arrived as a whole. */
const CLOSE_TIMEOUT = 15_000;

const stopping = () =>
  unavailable('ueberlastet', {
    de: 'Der Dienst wird gerade beendet; bitte gleich noch einmal senden.',
    en: 'The service is stopping right now; please send again in a moment.',
  });

/** Resolves when nothing more of a request will come. */
async function untilReceived(message: IncomingMessage): Promise<void> {
  if (message.destroyed || message.readableEnded) return;
  message.resume();
  await Promise.race(['end', 'close', 'error'].map((name) => once(message, name))).catch(() => undefined);
}

/** Makes what resolves once the app has no connection any more. */
function trackConnections(app: FastifyInstance): () => Promise<void> {
  const open = new Set<Socket>();
  const last = Promise.withResolvers<void>();
  let waiting = false;
  const settle = () => {
    if (waiting && open.size === 0) last.resolve();
  };
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      settle();
    });
  });
  return () => {
    waiting = true;
    settle();
    return last.promise;
  };
}

/**
 * A closing server of Node ends idle connections at once: a request that is just on its way on one of them then meets a
 * reset. So first nothing new is accepted, every answer ends its connection, and those that stay idle go a little later.
 * After a while all go, whatever they are doing.
 */
export function closeGently(app: FastifyInstance): void {
  let timer: NodeJS.Timeout;
  let closing = false;
  const untilAllGone = trackConnections(app);
  app.addHook('onRequest', (request, reply, done) => {
    if (!closing) return done();
    reply.header('connection', 'close');
    // A connection that is closed before everything was read takes the answer with it.
    void untilReceived(request.raw).then(() => done(stopping()));
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
  app.addHook('preClose', async () => {
    closing = true;
    timer = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT);
    if (!app.server.listening) return;
    // The server's own `close` would end idle connections, too.
    Server.prototype.close.call(app.server);
    const grace = Promise.withResolvers<void>();
    const patience = setTimeout(grace.resolve, GRACE);
    await Promise.race([untilAllGone(), grace.promise]);
    clearTimeout(patience);
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}
