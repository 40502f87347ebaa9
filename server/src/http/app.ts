/** The Fastify app: what holds for every request, routes, description, cockpit. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';
import { openapiDocument } from '#contracts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { createBoundedServer, OUTGOING, type OutgoingLimits } from '#platform/http-server/index.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Authenticator } from '#platform/principal.ts';
import type { Quota } from '#platform/quota.ts';
import { createReadings, type Kind } from './aside/reading.ts';
import { closeGently } from './closing.ts';
import { confirmAnswer, OF_ALL } from './confirmation.ts';
import { encodeAnswer } from './encoding.ts';
import { createFrameworkErrorHandler, registerErrorHandler } from './errors.ts';
import { registerForwarded, warnOfUnnamedProxies } from './forwarded.ts';
import { checkHost } from './host.ts';
import { createIsOfApi } from './methods.ts';
import { createParserErrorHandler } from './parser-errors.ts';
import { registerRoutes } from './register.ts';
import type { Route } from './route.ts';
import { pageHeaders, registerSecurityHeaders, securityHeaders } from './security-headers.ts';

export interface AppOptions {
  log: Log;
  metrics: Metrics;
  routes: Route[];
  authenticator: Authenticator;
  /** What keys and their Mandanten may send; without it nothing is limited. */
  quota?: Quota;
  production: boolean;
  /** The public address; on a port of the system's choice it is known once the app listens. */
  baseUrl: () => string;
  /** Reverse proxies whose word on the sender's address is taken. */
  trustedProxies: string[];
  /** Names besides the one in the public address by which the service may be called. */
  otherHosts?: string[];
  /** Milliseconds a sender has for a request; `RECEIVE_TIMEOUT` unless given. */
  receiveTimeout?: number;
  /** What may wait to be taken by those who asked; `OUTGOING` unless given. */
  outgoing?: OutgoingLimits;
  version: string;
  /** When bodies are received; the clock of the system unless given. */
  clock?: Clock;
  /** Modules of the threads that read large and packed bodies; without them all are read on the event loop. */
  readingThreads?: Record<Kind, URL>;
  /** The built cockpit; null serves the API alone. */
  cockpitDir: string | null;
}

/** Within this time a request must have arrived, be it the first byte, the headers or the body. */
export const RECEIVE_TIMEOUT = 30_000;
/** How often that is looked at: what Node presets would double the time. */
export const LOOK_EVERY = 1_000;
/** A connection on which nothing is asked for so long is closed: longer than balancers usually keep theirs. */
const KEEP_ALIVE = 72_000;

const DESCRIPTION = `Zählwerk zählt, was KI-Agenten kosten. Geldbeträge sind genaue Dezimalzahlen als Text, Zeiten ISO 8601 in UTC.

Zählwerk counts what AI agents cost. Amounts of money are exact decimals as text, times are ISO 8601 in UTC. Sums of counts and tokens are
JSON integers and may exceed 2^53 − 1: JavaScript's own \`JSON.parse\` rounds them from there on; pass it a reviver that takes \`context.source\`
as a BigInt, or use a parser that keeps large integers.`;

/** At which level a request is logged: a line for each success of what programs call all the time would cost as much as taking it in. */
function levelOf(status: number, isFrequent = false): 'error' | 'info' | 'debug' {
  if (status >= 500) return 'error';
  return isFrequent && status < 400 ? 'debug' : 'info';
}

function registerLog(app: FastifyInstance, log: Log, metrics: Metrics): void {
  // Names its fields one by one, none of them a secret: looking for secrets costs more than the line.
  const requests = log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const { operation, isFrequent } = request.routeOptions.config;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    if (operation) metrics.observeRequest(operation, reply.statusCode, reply.elapsedTime / 1000);
    requests[levelOf(reply.statusCode, isFrequent)](
      {
        operation: operation ?? 'datei',
        method: request.method,
        // Without the query: it may carry tokens and references of customers.
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms,
        mandant: request.principal?.mandant,
        requestId: request.id,
      },
      'request',
    );
    done();
  });
}

async function registerDescription(app: FastifyInstance, options: AppOptions): Promise<void> {
  let document: object | null = null;
  let bytes: Buffer | null = null;
  const describe = () => {
    document ??= openapiDocument(
      options.routes.map((entry) => entry.operation),
      { title: 'Zählwerk', version: options.version, description: DESCRIPTION, serverUrl: options.baseUrl() },
    );
    return document;
  };
  // The same bytes for all who read them, however slowly.
  const described = () => {
    bytes ??= Buffer.from(JSON.stringify(describe()));
    return bytes;
  };
  const describing = {
    config: { operation: 'system.openapi' },
    onSend: [confirmAnswer(OF_ALL), encodeAnswer],
  };
  app.get('/openapi.json', describing, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(described()),
  );
  const measuring = { config: { operation: 'system.metrics' }, onSend: encodeAnswer };
  app.get('/metrics', measuring, async (_request, reply) =>
    reply.type(options.metrics.contentType).send(await options.metrics.render()),
  );
  await app.register(documentSource(describe));
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Zählwerk – Schnittstelle' },
    // Without the bar that loads documents from other addresses.
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true },
  });
}

/**
 * Takes the place of the plugin @fastify/swagger, which the page insists on and which would make a document from the
 * routes; ours is made from the contract. The symbols are Fastify's own way to name a plugin and to let its decorator
 * be seen outside of it.
 */
function documentSource(describe: () => object) {
  const plugin = async (app: FastifyInstance): Promise<void> => {
    const answer = (options?: { yaml?: boolean }) =>
      // JSON is YAML, too.
      options?.yaml ? JSON.stringify(describe(), null, 2) : describe();
    app.decorate('swagger', answer as never);
  };
  return Object.assign(plugin, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('plugin-meta')]: { name: '@fastify/swagger' },
  });
}

/** Files are looked for at every request, so that a cockpit built anew under a running service is served whole. */
async function registerCockpit(
  app: FastifyInstance,
  directory: string,
  ofPages: string[],
  isOfApi: (url: string) => boolean,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: directory,
    serve: false,
    // The build has packed them already.
    preCompressed: true,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      // Nobody asks again for what never changes, or for a part of it.
      const unneeded = [...ofPages, 'etag', 'last-modified', 'accept-ranges'];
      if (hashed) for (const name of unneeded) reply.removeHeader(name);
    },
  });
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*'];
    if (isOfApi(request.url)) return reply.callNotFound();
    // Addresses inside the cockpit are the browser's business: they all get the page. A name with an ending is a file.
    return reply.sendFile(/\.\w+$/.test(path) ? path : 'index.html');
  });
}

function createServer(handle: RequestListener, options: AppOptions): Server {
  const { log, receiveTimeout = RECEIVE_TIMEOUT, outgoing: limits = OUTGOING } = options;
  return createBoundedServer(
    {
      requestTimeout: receiveTimeout,
      headersTimeout: receiveTimeout,
      keepAliveTimeout: KEEP_ALIVE,
      connectionsCheckingInterval: Math.min(LOOK_EVERY, receiveTimeout),
      // A request without one is answered by us, in the form of every other refusal.
      requireHostHeader: false,
    },
    handle,
    { log, limits },
  );
}

/** Builds the app; nothing listens yet. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { log } = options;
  const headers = securityHeaders(options.production);
  const app = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    serverFactory: (handle) => createServer(handle, options),
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    forceCloseConnections: 'idle',
    // Fastify's own answer has another form.
    return503OnClosing: false,
    // A long parameter is for the operation's check to refuse; Node bounds the request line anyway.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: createFrameworkErrorHandler(headers),
    clientErrorHandler: createParserErrorHandler(headers, log),
  });
  // A client that expects what we do not know may go without it; Node's own answer has another form.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.removeAllContentTypeParsers();
  // The routes read it themselves, each within the room it has.
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  registerForwarded(app);
  const operations = options.routes.map(({ operation }) => operation);
  const isOfApi = createIsOfApi(operations);
  registerSecurityHeaders(app, headers, isOfApi);
  registerErrorHandler(app, options, operations);
  registerLog(app, log, options.metrics);
  closeGently(app);
  checkHost(app, options);
  warnOfUnnamedProxies(app, options);
  await app.register(cookie);
  const readings = options.readingThreads ? createReadings(options.readingThreads, options.log) : null;
  app.addHook('onClose', async () => {
    await Promise.all(Object.values(readings ?? {}).map((reading) => reading.stop()));
  });
  registerRoutes(app, options.routes, { clock: systemClock, ...options, readings });
  await registerDescription(app, options);
  const { cockpitDir } = options;
  if (cockpitDir !== null && existsSync(join(cockpitDir, 'index.html')))
    await registerCockpit(app, cockpitDir, pageHeaders(headers), isOfApi);
  else if (cockpitDir !== null) log.warn({ cockpitDir }, 'the cockpit is not built: only the API answers');
  return app;
}
