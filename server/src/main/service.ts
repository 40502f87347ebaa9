/** The service as a whole, in the roles the configuration asks for. */
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { createInForce, hearChanges } from '#domains/eingriffe/index.ts';
import { readScopes } from '#domains/reservierungen/index.ts';
import { systemClock } from '#kernel/clock.ts';
import { createArchiveRoom } from '#platform/archive-room.ts';
import { createLoadSignal, showLoad } from '#platform/back-pressure.ts';
import type { Config } from '#platform/config.ts';
import {
  type Connections,
  createConnectionShares,
  createPool,
  createRequestDatabase,
} from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createDocuments } from '#platform/documents.ts';
import type { Log } from '#platform/log.ts';
import { warnOfLittleMemory } from '#platform/memory.ts';
import { createMetrics, type Metrics } from '#platform/metrics.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { createSecretBox, loadSecretKey } from '#platform/secret-box.ts';
import { createThrottle } from '#platform/throttle.ts';
import { prepareAddresses } from './addresses.ts';
import { createApi } from './api.ts';
import type { CountingMessage } from './counting.ts';
import { openForRequests } from './database.ts';
import { startMetrics } from './metrics.ts';
import { VERSION } from './version.ts';

export interface Service extends Connections {
  /** The address it listens on, e.g. `http://127.0.0.1:8080`; null in the role `worker`. */
  address: string | null;
  /** The address people open, from `BASE_URL`; null in the role `worker`. */
  publicAddress: string | null;
  /** Where metrics are offered apart; null without `METRICS_PORT`. */
  metricsAddress: string | null;
  stop(): Promise<void>;
}

interface Part {
  stop(): Promise<void>;
}

/** Counting makes much short-lived garbage: room for the young keeps it from growing old. */
const COUNTING_MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
/** Requests are short; one that takes longer is ended by the database. */
const STATEMENT_TIMEOUT = 10_000;
/** A database that does not even say so (stopped, cut off) is given up on a little later. */
const GIVE_UP = 12_000;
const RESTART_PAUSE = 1_000;
/** Of requests, at a time. */
const CONNECTIONS = 20;

/** Puts the port that the system has chosen into the address nobody has set, before the first request can ask for it. */
function completeAddress(app: FastifyInstance, config: Config): void {
  if (new URL(config.baseUrl).port !== '0') return;
  app.server.once('listening', () => {
    config.baseUrl = `http://localhost:${(app.server.address() as AddressInfo).port}`;
  });
}

/** What serves requests of the database: under the request role, and for operators as its owner. */
function openDatabases({ connection, requests }: Connections, log: Log) {
  const limits = { statementTimeout: STATEMENT_TIMEOUT, giveUp: GIVE_UP };
  const pool = createPool(
    { ...limits, connection: requests, max: CONNECTIONS, pipeline: true, name: 'api' },
    log,
  );
  // Opens a connection when an operator asks, and closes it half a minute after the last question.
  const ofOperators = createPool({ ...limits, connection, max: 2, name: 'operators' }, log);
  return {
    db: createRequestDatabase(pool, { shares: createConnectionShares(CONNECTIONS) }),
    operators: createOwnerDatabase(ofOperators),
  };
}

function warnOfLinks({ linksInAnswers }: Config, log: Log): void {
  if (linksInAnswers)
    log.warn(
      'answers hold links that sign in: NODE_ENV says development or test; anybody who reaches the service can use them',
    );
}

/** Listens, and resolves with the address. */
async function listen(app: FastifyInstance, { port, host }: Config): Promise<string> {
  await app.listen({ port, host });
  const { address, port: chosen, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${chosen}`;
}

async function startApi(given: Config, connections: Connections, log: Log, metrics: Metrics) {
  const { db, operators } = openDatabases(connections, log);
  const config = { ...given };
  warnOfLinks(config, log);
  const secrets = createSecretBox(loadSecretKey(config.secretKey, config.dataDir));
  const outbound = createOutbound(networksOf(config.allowedNetworks));
  const documents = createDocuments(log);
  const inForce = createInForce({ db, clock: systemClock, log }, readScopes);
  const notices = hearChanges(inForce, connections.requests, log);
  const leaving = new AbortController();
  const app = await createApi(
    {
      db,
      clock: systemClock,
      log,
      metrics,
      config,
      secrets,
      outbound,
      throttle: createThrottle({ db, log }),
      documents,
      spools: createArchiveRoom(config),
      version: VERSION,
      leaving: leaving.signal,
    },
    operators,
    inForce,
  );
  completeAddress(app, config);
  const address = await listen(app, config);
  return {
    address,
    publicAddress: config.baseUrl,
    async stop() {
      leaving.abort();
      await delay(config.leaveSeconds * 1_000);
      inForce.stop();
      await app.close();
      await documents.stop();
      await notices.stop();
      await db.close();
      await operators.close();
    },
  };
}

/** Keeps a counting thread running: one that dies is replaced, since nothing it held is lost. */
function startCountingThread(config: Config, connections: Connections, log: Log, metrics: Metrics) {
  let stopping = false;
  let thread: Worker | null = null;
  const load = createLoadSignal();
  const endLoad = showLoad(load);
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined);
  const launch = () => {
    const started = new Worker(new URL('./counting-thread.ts', import.meta.url), {
      workerData: { config, connections, load },
      resourceLimits: COUNTING_MEMORY,
    });
    started.on('message', (message: CountingMessage) => {
      if (message === 'started') first.resolve();
      else metrics.observe(message);
    });
    started.on('error', (error) => {
      first.reject(error);
      log.error({ err: error }, 'counting thread failed');
    });
    started.on('exit', () => {
      thread = null;
      first.reject(new Error('the counting thread ended'));
      if (!stopping) setTimeout(() => !stopping && launch(), RESTART_PAUSE);
    });
    thread = started;
  };
  launch();
  return {
    /** Rejects when the first one does not get that far: no later one would. */
    started: first.promise,
    async stop() {
      stopping = true;
      endLoad();
      const running = thread;
      if (!running) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.postMessage('stop');
      await ended;
    },
  };
}

/** Starts database, API and counting; throws when one of them cannot start. */
export async function startService(config: Config, log: Log): Promise<Service> {
  warnOfLittleMemory(log);
  const { stop: stopDatabase, ...connections } = await openForRequests(config, log);
  const metrics = createMetrics();
  const parts: Part[] = [{ stop: stopDatabase }];
  let addresses: Pick<Service, 'address' | 'publicAddress'> = { address: null, publicAddress: null };
  let metricsAddress: string | null = null;
  const stop = async () => {
    // In reverse: first nothing more comes in, then counting ends its transaction, then the database goes.
    for (const part of parts.reverse()) await part.stop();
  };
  try {
    await prepareAddresses(config, connections.connection, log);
    const thread = config.role === 'all' ? startCountingThread(config, connections, log, metrics) : null;
    if (thread) parts.push(thread);
    if (config.role === 'worker') {
      const { startCounting } = await import('./counting.ts');
      parts.push(startCounting(config, connections, log, metrics.observe));
    } else {
      const api = await startApi(config, connections, log, metrics);
      parts.push(api);
      addresses = { address: api.address, publicAddress: api.publicAddress };
    }
    if (config.metrics) {
      const offered = await startMetrics(config.metrics, connections, log, metrics);
      parts.push(offered);
      metricsAddress = offered.address;
    }
    await thread?.started;
    return { ...addresses, metricsAddress, ...connections, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
