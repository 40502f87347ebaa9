/** The proxy for a test, with providers and a service that answer as directed. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from './config.ts';
import { createLog, type Log } from './log.ts';
import { type RunningProxy, startProxy } from './server.ts';

export const KEY = `zw_live_${'k'.repeat(43)}`;

export interface TestProxy extends RunningProxy {
  dataDir: string;
}

/** Starts one whose `PROXY_TARGETS` are these; further settings as in the environment. */
export async function startTestProxy(
  serviceUrl: string,
  targets: Record<string, string>,
  { env = {}, log = createLog('silent') }: { env?: Record<string, string>; log?: Log } = {},
): Promise<TestProxy> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zw-proxy-'));
  const config = parseConfig({
    PROXY_PORT: '0',
    ZAEHLWERK_URL: serviceUrl,
    ZAEHLWERK_KEY: KEY,
    PROXY_DATA_DIR: dataDir,
    PROXY_TARGETS: Object.entries(targets)
      .map(([name, url]) => `${name}=${url}`)
      .join(' '),
    ...env,
  });
  const proxy = await startProxy(config, log);
  return {
    url: proxy.url,
    dataDir,
    async stop(timeoutMs) {
      await proxy.stop(timeoutMs);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

/** A provider that answers as the listener does. */
export async function startServer(listener: RequestListener): Promise<TestServer> {
  const server = createServer({ keepAliveTimeout: 600_000 }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
