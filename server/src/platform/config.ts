/**
 * Configuration, parsed once in `main` and passed on from there. A wrong value stops the start with a German
 * sentence that names the variable.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export interface Config {
  port: number;
  host: string;
  baseUrl: string;
  dataDir: string;
  /** null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  production: boolean;
  role: 'all' | 'api' | 'worker';
  /** IANA name; the time zone of new Mandanten. */
  timeZone: string;
  /** EUR for one USD where no reference rate is known; plain decimal string. */
  usdEurRate: string;
  /** Key for secrets at rest, 32 bytes in base64; null: generated into `dataDir`. */
  secretKey: string | null;
  logLevel: string;
}

export class ConfigError extends Error {}

type Env = Record<string, string | undefined>;

const fail = (name: string, sentence: string): never => {
  throw new ConfigError(`${name}: ${sentence}`);
};

/** `NAME`, or the content of the file that `NAME_FILE` names (for mounted secrets). */
function read(env: Env, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (file && !env[name]) {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      fail(`${name}_FILE`, `Die Datei „${file}“ lässt sich nicht lesen.`);
    }
  }
  return env[name]?.trim() || undefined;
}

function parsePort(env: Env): number {
  const text = read(env, 'PORT') ?? '8080';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) fail('PORT', `„${text}“ ist keine Portnummer von 0 bis 65535.`);
  return port;
}

function parseUrl(env: Env, name: string, protocols: string[]): string | null {
  const text = read(env, name);
  if (text === undefined) return null;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    fail(name, `Das ist keine Adresse der Form ${protocols.map((p) => `${p}//…`).join(' oder ')}.`);
  }
  return text;
}

function parseWord<T extends string>(env: Env, name: string, words: readonly T[], preset: T): T {
  const text = read(env, name) ?? preset;
  const word = words.find((candidate) => candidate === text);
  return word ?? fail(name, `„${text}“ ist nicht erlaubt; möglich sind ${words.join(', ')}.`);
}

function parseTimeZone(env: Env): string {
  const zone = read(env, 'ZEITZONE') ?? 'Europe/Berlin';
  try {
    return Temporal.Now.zonedDateTimeISO(zone).timeZoneId;
  } catch {
    return fail('ZEITZONE', `„${zone}“ ist keine Zeitzone wie Europe/Berlin.`);
  }
}

function parseRate(env: Env): string {
  const text = read(env, 'USD_EUR_RATE') ?? '0.86';
  if (!/^\d{1,4}(\.\d{1,10})?$/.test(text) || Number(text) === 0) {
    fail('USD_EUR_RATE', `„${text}“ ist kein Kurs wie 0.86 (Euro für einen US-Dollar).`);
  }
  return text;
}

function parseSecretKey(env: Env): string | null {
  const text = read(env, 'ZW_SCHLUESSEL');
  if (text === undefined) return null;
  if (Buffer.from(text, 'base64').length !== 32) {
    fail('ZW_SCHLUESSEL', 'Erwartet werden 32 Byte in Base64, etwa aus „openssl rand -base64 32“.');
  }
  return text;
}

/** Reads the process environment; throws `ConfigError` naming the variable that is wrong. */
export function parseConfig(env: Env): Config {
  const port = parsePort(env);
  return {
    port,
    host: read(env, 'HOST') ?? '127.0.0.1',
    baseUrl: (parseUrl(env, 'BASE_URL', ['http:', 'https:']) ?? `http://localhost:${port}`).replace(
      /\/+$/,
      '',
    ),
    dataDir: resolve(read(env, 'DATA_DIR') ?? './data'),
    databaseUrl: parseUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    production:
      parseWord(env, 'NODE_ENV', ['development', 'production', 'test'], 'development') === 'production',
    role: parseWord(env, 'ROLLE', ['all', 'api', 'worker'], 'all'),
    timeZone: parseTimeZone(env),
    usdEurRate: parseRate(env),
    secretKey: parseSecretKey(env),
    logLevel: parseWord(
      env,
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
    ),
  };
}
