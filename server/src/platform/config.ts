/**
 * Configuration, parsed once in `main` and passed on from there. A wrong value stops the start with a German
 * sentence that names the variable.
 */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { emailProblem, normaliseEmail } from '#kernel/email.ts';
import { zoneOf } from '#kernel/zone.ts';
import { parseNetwork } from './outbound.ts';
import type { Limits } from './quota.ts';

/** Days that events are kept at most, or as the packages of the Mandanten say. */
export type Retention = number | 'tarif';

export interface Config {
  port: number;
  host: string;
  /** Where metrics and health are offered apart from everything else; null: nowhere. */
  metrics: { port: number; host: string } | null;
  baseUrl: string;
  dataDir: string;
  /** null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** Folder in which the embedded database keeps its log and copies of its files; null: nowhere. */
  walArchive: string | null;
  /** How requests sign in to the server of `databaseUrl`; null: with a login that the service makes. */
  requestDatabaseUrl: string | null;
  production: boolean;
  /** Whether answers hold links that sign in, which otherwise are in mails alone. */
  linksInAnswers: boolean;
  role: 'all' | 'api' | 'worker';
  /** IANA name; the time zone of new Mandanten. */
  timeZone: string;
  /** EUR for one USD where no reference rate is known; plain decimal string. */
  usdEurRate: string;
  /** The day it is of, `YYYY-MM-DD`; null where another rate than the default is set without its day. */
  usdEurRateDay: string | null;
  /** Where newer editions of the price list are; null: none is fetched. */
  priceListUrl: string | null;
  /** Key for secrets at rest, 32 bytes in base64; null: generated into `dataDir`. */
  secretKey: string | null;
  /** Seconds for which the check of health says no before the service stops taking requests. */
  leaveSeconds: number;
  logLevel: string;
  /** null: mail goes to the log. */
  smtpUrl: string | null;
  /** Sender of mails. */
  mailFrom: string;
  /** null: packages cannot be booked. */
  stripe: { secretKey: string; webhookSecret: string; apiBase: string | null } | null;
  /** Networks that addresses given by users may lead to, besides the public internet. */
  allowedNetworks: string[];
  /** Reverse proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: string[];
  /** Names besides that of `baseUrl` by which requests may call the service, lower case. */
  otherHosts: string[];
  /** Users who become operators at start, lower case. */
  operatorEmails: string[];
  /** Licence of the installation, a signed token; null for none. */
  licence: string | null;
  /** Public keys that licences must be signed with (JWK or set of them, as JSON); null: none proves anything. */
  licenceKey: string | null;
  /** Where the revocation list is; null: where the licence says. */
  licenceListUrl: string | null;
  /** Bytes that exports may take up on the disk of `dataDir` while they are read. */
  exportBytes: number;
  /** How long events are kept; null is for ever. */
  retention: Retention | null;
  /** What a Mandant may send in a minute where operators say nothing else. */
  mandantLimits: Limits;
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

function toPort(name: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) fail(name, `„${text}“ ist keine Portnummer von 0 bis 65535.`);
  return port;
}

const LOOPBACK = '127.0.0.1';

function parseMetrics(env: Env): Config['metrics'] {
  const port = read(env, 'METRICS_PORT');
  const host = read(env, 'METRICS_HOST');
  if (port === undefined)
    return host === undefined ? null : fail('METRICS_HOST', 'Gilt nur zusammen mit METRICS_PORT.');
  return { port: toPort('METRICS_PORT', port), host: host ?? LOOPBACK };
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
  return zoneOf(zone) ?? fail('ZEITZONE', `„${zone}“ ist keine Zeitzone wie Europe/Berlin.`);
}

/** The rate and the day it is of go together. */
const DEFAULT_RATE = { usdEur: '0.86', day: '2026-11-20' };

function parseRate(env: Env): string {
  const text = read(env, 'USD_EUR_RATE') ?? DEFAULT_RATE.usdEur;
  if (!/^\d{1,4}(\.\d{1,10})?$/.test(text) || Number(text) === 0) {
    fail('USD_EUR_RATE', `„${text}“ ist kein Kurs wie 0.86 (Euro für einen US-Dollar).`);
  }
  return text;
}

function parseRateDay(env: Env): string | null {
  const text = read(env, 'USD_EUR_RATE_DATUM');
  if (text === undefined) return parseRate(env) === DEFAULT_RATE.usdEur ? DEFAULT_RATE.day : null;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  if (!isDay || new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) !== text)
    fail('USD_EUR_RATE_DATUM', `„${text}“ ist kein Tag wie 2026-11-20.`);
  return text;
}

/** Where the project of the list publishes it. */
const PRICE_LIST =
  'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json';

function parsePriceListUrl(env: Env): string | null {
  if (env.PREISLISTE_URL?.trim() === '') return null;
  return parseUrl(env, 'PREISLISTE_URL', ['https:', 'http:']) ?? PRICE_LIST;
}

function parseSecretKey(env: Env): string | null {
  const text = read(env, 'ZW_SCHLUESSEL');
  if (text === undefined) return null;
  if (Buffer.from(text, 'base64').length !== 32) {
    fail('ZW_SCHLUESSEL', 'Erwartet werden 32 Byte in Base64, etwa aus „openssl rand -base64 32“.');
  }
  return text;
}

const NODE_ENVS = ['development', 'production', 'test'] as const;

/**
 * With such a link anybody takes over any account: only where somebody has said so. Whether others reach the service, neither its
 * configuration nor a request tells.
 */
const showsLinks = (env: Env): boolean => ['development', 'test'].includes(read(env, 'NODE_ENV') ?? '');

const listOf = (env: Env, name: string): string[] =>
  (read(env, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Checked as networks, handed on as text: the HTTP kit has its own reader, and threads get copies of plain values only. */
function parseNetworks(env: Env, name: string): string[] {
  const texts = listOf(env, name);
  for (const text of texts)
    if (parseNetwork(text) === null) fail(name, `„${text}“ ist kein Netz wie 10.0.0.0/8.`);
  return texts;
}

/** Names as they stand in a `Host` header, without a port. */
function parseHosts(env: Env, name: string): string[] {
  return listOf(env, name).map((text) => {
    const host = text.toLowerCase();
    return /^[\w-]+(\.[\w-]+)*$/.test(host)
      ? host
      : fail(name, `„${text}“ ist kein Name wie zaehlwerk.intern.`);
  });
}

function parseEmails(env: Env, name: string): string[] {
  return listOf(env, name).map((text) =>
    emailProblem(text) === null
      ? normaliseEmail(text).toLowerCase()
      : fail(name, `„${text}“ ist keine E-Mail-Adresse.`),
  );
}

function parseStripe(env: Env): Config['stripe'] {
  const secretKey = read(env, 'STRIPE_SECRET_KEY');
  const webhookSecret = read(env, 'STRIPE_WEBHOOK_SECRET');
  const apiBase = parseUrl(env, 'STRIPE_API_BASE', ['http:', 'https:']);
  if (secretKey === undefined && webhookSecret === undefined) return null;
  if (secretKey === undefined)
    return fail('STRIPE_SECRET_KEY', 'Fehlt, obwohl STRIPE_WEBHOOK_SECRET gesetzt ist.');
  if (webhookSecret === undefined)
    return fail('STRIPE_WEBHOOK_SECRET', 'Fehlt, obwohl STRIPE_SECRET_KEY gesetzt ist.');
  return { secretKey, webhookSecret, apiBase };
}

function parseMailFrom(env: Env): string {
  const text = read(env, 'MAIL_FROM') ?? 'Zählwerk <zaehlwerk@localhost>';
  if (/[\r\n]/.test(text) || !/@/.test(text))
    return fail('MAIL_FROM', 'Erwartet wird ein Absender wie „Zählwerk <zaehlwerk@example.org>“.');
  return text;
}

const POSTGRES = ['postgres:', 'postgresql:'];

function parseRequestDatabaseUrl(env: Env): string | null {
  const url = parseUrl(env, 'DATABASE_URL_ANFRAGEN', POSTGRES);
  if (url !== null && read(env, 'DATABASE_URL') === undefined)
    fail('DATABASE_URL_ANFRAGEN', 'Gilt nur zusammen mit DATABASE_URL.');
  return url;
}

function parseWalArchive(env: Env, dataDir: string): string | null {
  const text = read(env, 'WAL_ARCHIV');
  if (text === undefined) return null;
  if (read(env, 'DATABASE_URL') !== undefined)
    fail('WAL_ARCHIV', 'Gilt nur für die eingebettete Datenbank, nicht zusammen mit DATABASE_URL.');
  const folder = resolve(text);
  if (`${folder}/`.startsWith(`${join(dataDir, 'postgres')}/`))
    fail('WAL_ARCHIV', `„${text}“ liegt in der Datenbank selbst.`);
  return folder;
}

const MEBIBYTE = 1024 * 1024;

function parseMebibytes(env: Env, name: string, preset: number): number {
  const text = read(env, name) ?? String(preset);
  const isCount = /^\d{1,9}$/.test(text) && Number(text) > 0;
  return isCount ? Number(text) * MEBIBYTE : fail(name, `„${text}“ ist keine Zahl von Mebibyte ab 1.`);
}

/** Reports, rules and backtests look back as far. */
export const LEAST_DAYS_KEPT = 92;

/** How long events are kept; for ever where nothing is said. */
function parseRetention(env: Env, name: string): Retention | null {
  const text = read(env, name);
  if (text === undefined || text === 'tarif') return text ?? null;
  if (/^\d{2,5}$/.test(text) && Number(text) >= LEAST_DAYS_KEPT) return Number(text);
  return fail(name, `„${text}“ ist weder „tarif“ noch eine Zahl von Tagen ab ${LEAST_DAYS_KEPT}.`);
}

/** A limit of a minute; none where nothing is said. */
function parseLimit(env: Env, name: string): number | null {
  const text = read(env, name);
  if (text === undefined) return null;
  const isLimit = /^\d{1,9}$/.test(text) && Number(text) > 0;
  return isLimit ? Number(text) : fail(name, `„${text}“ ist keine Zahl von 1 bis 999999999.`);
}

/** Less than process managers wait for an end. */
const MOST_LEAVE_SECONDS = 30;

function parseLeaveSeconds(env: Env): number {
  const text = read(env, 'ABMELDEN_SEKUNDEN') ?? '0';
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return seconds <= MOST_LEAVE_SECONDS
    ? seconds
    : fail('ABMELDEN_SEKUNDEN', `Erwartet wird eine ganze Zahl von 0 bis ${MOST_LEAVE_SECONDS}.`);
}

/** Reads the process environment; throws `ConfigError` naming the variable that is wrong. */
export function parseConfig(env: Env): Config {
  const port = toPort('PORT', read(env, 'PORT') ?? '8080');
  const host = read(env, 'HOST') ?? LOOPBACK;
  const given = parseUrl(env, 'BASE_URL', ['http:', 'https:']) ?? `http://localhost:${port}`;
  const baseUrl = given.replace(/\/+$/, '');
  const dataDir = resolve(read(env, 'DATA_DIR') ?? './data');
  return {
    port,
    host,
    metrics: parseMetrics(env),
    baseUrl,
    dataDir,
    databaseUrl: parseUrl(env, 'DATABASE_URL', POSTGRES),
    walArchive: parseWalArchive(env, dataDir),
    requestDatabaseUrl: parseRequestDatabaseUrl(env),
    production: parseWord(env, 'NODE_ENV', NODE_ENVS, 'development') === 'production',
    linksInAnswers: showsLinks(env),
    role: parseWord(env, 'ROLLE', ['all', 'api', 'worker'], 'all'),
    timeZone: parseTimeZone(env),
    usdEurRate: parseRate(env),
    usdEurRateDay: parseRateDay(env),
    priceListUrl: parsePriceListUrl(env),
    secretKey: parseSecretKey(env),
    leaveSeconds: parseLeaveSeconds(env),
    logLevel: parseWord(
      env,
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
    ),
    smtpUrl: parseUrl(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: parseMailFrom(env),
    stripe: parseStripe(env),
    allowedNetworks: parseNetworks(env, 'ERLAUBTE_NETZE'),
    trustedProxies: parseNetworks(env, 'VERTRAUTE_PROXYS'),
    otherHosts: parseHosts(env, 'WEITERE_HOSTS'),
    operatorEmails: parseEmails(env, 'BETREIBER_EMAILS'),
    licence: read(env, 'LIZENZ') ?? null,
    licenceKey: read(env, 'LIZENZ_PRUEFSCHLUESSEL') ?? null,
    licenceListUrl: parseUrl(env, 'LIZENZ_SPERRLISTE_URL', ['https:', 'http:']),
    exportBytes: parseMebibytes(env, 'EXPORT_PLATZ_MB', 16_384),
    retention: parseRetention(env, 'AUFBEWAHRUNG_TAGE'),
    mandantLimits: {
      anfragen: parseLimit(env, 'KONTINGENT_ANFRAGEN_JE_MINUTE'),
      ereignisse: parseLimit(env, 'KONTINGENT_EREIGNISSE_JE_MINUTE'),
    },
  };
}
