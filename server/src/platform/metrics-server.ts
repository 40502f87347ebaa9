/**
 * Metrics and a sign of life on an address of their own, for processes that take no requests, and where `/metrics` is to stay away
 * from the address that people use.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBoundedServer } from './http-server/index.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsServer {
  /** Where it listens, e.g. `http://127.0.0.1:9464`. */
  address: string;
  stop(): Promise<void>;
}

interface Offered {
  metrics: Pick<Metrics, 'render' | 'contentType'>;
  /** Whether the process can work; never throws. */
  isWell: () => Promise<boolean>;
  log: Log;
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}

async function answer({ metrics, isWell }: Offered, request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://metrics');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return send(response, 405, 'text/plain', '');
  }
  if (pathname === '/metrics') return send(response, 200, metrics.contentType, await metrics.render());
  if (pathname !== '/gesund') return send(response, 404, 'text/plain', '');
  const well = await isWell();
  const body = JSON.stringify({ status: well ? 'ok' : 'gestört', datenbank: well ? 'ok' : 'gestört' });
  return send(response, well ? 200 : 503, 'application/json; charset=utf-8', body);
}

/** Listens; throws where the address is taken. */
export async function startMetricsServer(
  { port, host }: { port: number; host: string },
  offered: Offered,
): Promise<MetricsServer> {
  const { log } = offered;
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    answer(offered, request, response).catch((error: unknown) => {
      log.warn({ err: error }, 'metrics not answered');
      response.destroy();
    });
  };
  // Questions for metrics are quick; a slow one holds a connection for nothing.
  const server = createBoundedServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, onRequest, { log });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, port: taken, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
