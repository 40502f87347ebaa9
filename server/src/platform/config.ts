/**
 * Configuration, parsed once in `main` and passed on from there. A wrong value stops the start with a German
 * sentence that names the variable.
 */

import { resolve } from 'node:path';
import {
  LOOPBACK,
  parseEmails,
  parseHosts,
  parseMetrics,
  parseNetworks,
  toPort,
} from './config/addresses.ts';
import { parseMandantLimits, parseRetention, type Retention } from './config/limits.ts';
import { LOG_LEVELS, NODE_ENVS, parseLeaveSeconds, parseTimeZone, showsLinks } from './config/operation.ts';
import { parseMailFrom, parseStripe, type Stripe } from './config/outgoing.ts';
import { parsePriceListUrl, parseRate, parseRateDay } from './config/prices.ts';
import { type Env, parseUrl, parseWord, read } from './config/read.ts';
import {
  POSTGRES,
  parseMebibytes,
  parseRequestDatabaseUrl,
  parseSecretKey,
  parseWalArchive,
} from './config/storage.ts';
import type { Limits } from './quota.ts';

export { LEAST_DAYS_KEPT, type Retention } from './config/limits.ts';
export { ConfigError } from './config/read.ts';

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
  stripe: Stripe | null;
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
  /** Bytes that the local copy of consumption may take up on the disk of `dataDir`. */
  sumsBytes: number;
  /** How long events are kept; null is for ever. */
  retention: Retention | null;
  /** What a Mandant may send in a minute where operators say nothing else. */
  mandantLimits: Limits;
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
    logLevel: parseWord(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
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
    sumsBytes: parseMebibytes(env, 'SUMMEN_PLATZ_MB', 8_192),
    retention: parseRetention(env, 'AUFBEWAHRUNG_TAGE'),
    mandantLimits: parseMandantLimits(env),
  };
}
