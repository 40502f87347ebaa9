/** What the environment says, read once. A wrong value stops the start with a sentence that names the variable. */
import { join, resolve } from 'node:path';
import { isLevel, type Level } from './log.ts';
import type { WayOut } from './way-out.ts';

export interface ProxyConfig {
  host: string;
  port: number;
  /** Address of the service. */
  serviceUrl: string;
  /** Where people lift what stops a call. */
  cockpitUrl: string;
  /** For requests that bring no key. */
  key: string | null;
  /** Providers by names of the operator's own. */
  targets: ReadonlyMap<string, URL>;
  /** How providers are reached where the house lets nothing out directly. */
  wayOut: WayOut | null;
  /** What holds while the service is away. */
  failure: 'open' | 'closed';
  /** How long the first call of a key waits for the service to say what is in force. */
  firstAnswerMs: number;
  /** This many calls of a key that have a hard limit pass while the service is away, if calls do. */
  unreservedCalls: number;
  /** Where counts wait while the service is away. */
  dataDir: string;
  /** How long an answer whose caller is gone is read on. */
  readOnMs: number;
  /** Bytes of one request of a call. */
  maxBodyBytes: number;
  maxConnections: number;
  logLevel: Level;
}

export class ConfigError extends Error {}

type Env = Readonly<Record<string, string | undefined>>;

function urlIn(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw new ConfigError(`${name}: "${text}" is no address that begins with http:// or https://`);
  return url;
}

function numberIn(env: Env, name: string, otherwise: number): number {
  const text = env[name]?.trim() || String(otherwise);
  if (!/^\d{1,9}$/.test(text)) throw new ConfigError(`${name}: "${text}" is no whole number`);
  return Number(text);
}

/** `name=https://…`, several with spaces between. */
function targetsIn(name: string, text: string): Map<string, URL> {
  const entries = text.split(/\s+/).filter((entry) => entry !== '');
  return new Map(
    entries.map((entry) => {
      const [, label = '', address = ''] = /^([a-z0-9-]+)=(.+)$/.exec(entry) ?? [];
      if (label === '') throw new ConfigError(`${name}: "${entry}" is not like name=https://host`);
      return [label, urlIn(name, address)];
    }),
  );
}

/** Under the names that programs in such houses read. */
function wayOutIn(env: Env): WayOut | null {
  const address = env.https_proxy || env.HTTPS_PROXY;
  if (!address) return null;
  const proxy = URL.canParse(address) ? new URL(address) : null;
  // It may have a password, which is in no message.
  if (proxy === null || !/^https?:$/.test(proxy.protocol))
    throw new ConfigError('HTTPS_PROXY: no address that begins with http:// or https://');
  const past = (env.no_proxy || env.NO_PROXY || '').split(/[\s,]+/).filter((entry) => entry !== '');
  return { proxy, past };
}

function failureIn(text: string): ProxyConfig['failure'] {
  if (text !== 'open' && text !== 'closed') throw new ConfigError('PROXY_FAILURE: open or closed');
  return text;
}

function levelIn(text: string): Level {
  if (!isLevel(text)) throw new ConfigError(`LOG_LEVEL: "${text}" is no level`);
  return text;
}

const MIB = 1_048_576;

export function parseConfig(env: Env): ProxyConfig {
  const serviceUrl = urlIn('ZAEHLWERK_URL', env.ZAEHLWERK_URL || 'http://localhost:8080').href;
  return {
    host: env.PROXY_HOST || '127.0.0.1',
    port: numberIn(env, 'PROXY_PORT', 8090),
    serviceUrl,
    cockpitUrl: urlIn('ZAEHLWERK_COCKPIT_URL', env.ZAEHLWERK_COCKPIT_URL || serviceUrl).href,
    key: env.ZAEHLWERK_KEY || null,
    targets: targetsIn('PROXY_TARGETS', env.PROXY_TARGETS ?? ''),
    wayOut: wayOutIn(env),
    failure: failureIn(env.PROXY_FAILURE || 'open'),
    firstAnswerMs: numberIn(env, 'PROXY_FIRST_ANSWER_SECONDS', 10) * 1_000,
    unreservedCalls: numberIn(env, 'PROXY_UNRESERVED_CALLS', 1_000),
    dataDir: resolve(env.PROXY_DATA_DIR || join('data', 'proxy')),
    readOnMs: numberIn(env, 'PROXY_READ_ON_SECONDS', 5) * 1_000,
    maxBodyBytes: numberIn(env, 'PROXY_MAX_BODY_MIB', 64) * MIB,
    maxConnections: numberIn(env, 'PROXY_MAX_CONNECTIONS', 2_000),
    logLevel: levelIn(env.LOG_LEVEL || 'info'),
  };
}
