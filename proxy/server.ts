/** Where callers arrive: HTTP/1.1, and HTTP/2 without TLS for those who begin with it (Amazon's client). */
import { once } from 'node:events';
import { createServer as createHttp1, type ServerOptions } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Bodies } from './bodies.ts';
import type { ProxyConfig } from './config.ts';
import type { Request, Response } from './headers.ts';
import type { Log } from './log.ts';
import { createOutgoing, MAX_HEADER_BYTES, type Outgoing } from './outgoing.ts';
import { Senders } from './senders.ts';
import { RequestHandler } from './serve.ts';

export interface RunningProxy {
  /** Where it listens. */
  url: string;
  /** Takes no more, lets what is under way end within that time, and delivers what was counted. */
  stop(timeoutMs?: number): Promise<void>;
}

/** A connection that says nothing is closed. */
const SILENT_MS = 60_000;
const STOP_MS = 25_000;
/** HTTP/2 begins with it. */
const PREFACE = 'PRI ';

const OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: SILENT_MS,
  headersTimeout: SILENT_MS,
};

/** Sees by the first bytes of a connection what it speaks. */
function splitting(http1: ReturnType<typeof createHttp1>, http2: ReturnType<typeof createHttp2>) {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    const silent = setTimeout(() => socket.destroy(), SILENT_MS);
    socket.once('data', (bytes) => {
      clearTimeout(silent);
      socket.pause();
      const speaks = bytes.toString('latin1', 0, PREFACE.length) === PREFACE ? http2 : http1;
      speaks.emit('connection', socket);
      socket.unshift(bytes);
      socket.resume();
    });
    socket.once('close', () => clearTimeout(silent));
  });
  return { server, sockets };
}

const HEALTH = '/health';

/** Starts it; port 0 takes a free one. */
export async function startProxy(
  config: ProxyConfig,
  log: Log,
  outgoing: Outgoing = createOutgoing(config.wayOut),
): Promise<RunningProxy> {
  const senders = new Senders(config, log);
  const handler = new RequestHandler({
    config,
    senders,
    outgoing,
    bodies: new Bodies(config.maxBodyBytes),
    log,
  });
  const underWay = new Set<Response>();
  const serve = (request: Request, response: Response): void => {
    if (request.url === HEALTH) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: 'ok', ...senders.sums() }));
      return;
    }
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    void handler.serve(request, response);
  };
  const http1 = createHttp1(OPTIONS, serve);
  const { server, sockets } = splitting(http1, createHttp2(serve));
  server.maxConnections = config.maxConnections;
  server.listen(config.port, config.host);
  await once(server, 'listening');
  // What an earlier process has left behind.
  if (config.key !== null) senders.deliver(config.key);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    async stop(timeoutMs = STOP_MS) {
      server.close();
      const end = performance.now() + timeoutMs;
      while (underWay.size > 0 && performance.now() < end)
        await new Promise((resolve) => setTimeout(resolve, 50));
      for (const socket of sockets) socket.destroy();
      await senders.close(Math.max(end - performance.now(), 1_000));
      await outgoing.close();
    },
  };
}
