/** `npm run proxy`: the proxy as a process of its own, which lives when the service does not (docs/proxy.md). */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { ConfigError, type ProxyConfig, parseConfig } from './config.ts';
import { createLog } from './log.ts';
import { startProxy } from './server.ts';

/** Where it cannot write, counts would be lost with the service. */
function requirePlace(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new ConfigError(`PROXY_DATA_DIR: ${directory} cannot be written to: ${String(error)}`);
  }
}

function configOrExit(): ProxyConfig {
  try {
    const config = parseConfig(process.env);
    requirePlace(config.dataDir);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

const LOOPBACK = /^(127\.|::1$|localhost$)/;

const config = configOrExit();
const log = createLog(config.logLevel);
const proxy = await startProxy(config, log);
log.info({ address: proxy.url, service: config.serviceUrl, failure: config.failure }, 'ready');
if (!LOOPBACK.test(config.host))
  log.warn(
    { host: config.host },
    'others than this machine can reach the proxy, and what PROXY_TARGETS names through it',
  );

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    void proxy.stop().then(() => process.exit(0));
  });
