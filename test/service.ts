/** The real service on a database of its own, for one test file. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { createInForce, type InForce } from '#domains/eingriffe/index.ts';
import { readScopes } from '#domains/reservierungen/index.ts';
import type { Clock } from '#kernel/clock.ts';
import { createApi } from '#main/api.ts';
import { createArchiveRoom } from '#platform/archive-room.ts';
import { parseConfig } from '#platform/config.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createConnectionShares, createPool, createRequestDatabase } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { splitStatements } from '#platform/database/statements.ts';
import { createDocuments } from '#platform/documents.ts';
import { createLog } from '#platform/log.ts';
import type { Mail } from '#platform/mail.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { createSecretBox } from '#platform/secret-box.ts';
import { createThrottle } from '#platform/throttle.ts';
import { watchAnswers } from './answers.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { withExampleProviders } from './example-providers.ts';
import { shareEngine } from './shared-engine.ts';
import { findFaulty, recordStatements, type Statement } from './statements.ts';

/** For `vi.waitFor`, as long as `until`: what happens after an answer may take long on a busy machine, which is no reason to fail. */
export const PATIENCE = { timeout: 300_000 };

/** A clock that stands still until it is set. */
export interface TestClock extends Clock {
  set(instant: string): void;
}

export function createTestClock(): TestClock {
  let fixed: Date | null = null;
  return {
    now: () => fixed ?? new Date(),
    set: (instant) => {
      fixed = new Date(instant);
    },
  };
}

export interface TestService {
  app: FastifyInstance;
  context: ServiceContext;
  /** What the API knows of interventions. */
  inForce: InForce;
  clock: TestClock;
  /** As the owner, for operations of operators. */
  operators: OwnerDatabase;
  /** As the owner. */
  connection: pg.ClientConfig;
  /** As requests. */
  requests: pg.ClientConfig;
  /** Runs SQL as the owner of the database. */
  sql<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
  /** The mails that wait in the outbox, oldest first. */
  mails(): Promise<Mail[]>;
  /** What requests have asked; at the stop, they must have named their Mandant. */
  statements: Map<string, Statement>;
  stop(): Promise<void>;
}

/** Does something while the database cannot be reached. */
export async function withoutDatabase<T>({ context }: TestService, work: () => Promise<T>): Promise<T> {
  const { db } = context;
  const connection = { host: '127.0.0.1', port: 1 };
  const pool = createPool({ connection, max: 1, statementTimeout: 1_000, name: 'test' }, context.log);
  context.db = createRequestDatabase(pool);
  try {
    return await work();
  } finally {
    context.db = db;
    await pool.end();
  }
}

/** Does something while what reads a table is ended by the database, as it ends what takes too long. */
export async function withSlow<T>(
  { connection }: TestService,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  const holder = new pg.Client(connection);
  await holder.connect();
  try {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const working = work();
    let isOver = false;
    const over = working.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await holder.query(
        'SELECT pg_cancel_backend(pid) FROM pg_locks WHERE NOT granted AND relation = $1::regclass',
        [table],
      );
      await Promise.race([over, setTimeout(10)]);
    }
    return await over;
  } finally {
    await holder.end();
  }
}

/** Statements that the planner was asked about for a file before, with the places in which they name their Mandant. */
const sound = new Set<string>();
const kindOf = ({ text, values, request }: Statement) =>
  JSON.stringify([text, values.map((value) => value === request?.mandant)]);

/** Throws when a statement of a request does not name the Mandant it was made for, or orders amounts by their texts. */
async function checkStatements(pool: pg.Pool, statements: Map<string, Statement>): Promise<void> {
  const asked = [...statements.values()].filter(
    (statement) => statement.request?.mandant && !sound.has(kindOf(statement)),
  );
  if (asked.length === 0) return;
  const client = await pool.connect();
  const faulty = await findFaulty(client, asked).finally(() => client.release());
  for (const statement of asked) if (!faulty.includes(statement.text)) sound.add(kindOf(statement));
  if (faulty.length > 0)
    throw new Error(
      `these do not name their Mandant, or order amounts by their texts:\n${faulty.join('\n')}`,
    );
}

/** What the API works with, in a data directory of its own. */
function contextOf(
  env: Record<string, string>,
  dataDir: string,
  { db, log, clock }: Pick<ServiceContext, 'db' | 'log' | 'clock'>,
): ServiceContext {
  const config = parseConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, ...env });
  return {
    db,
    clock,
    log,
    metrics: createMetrics(),
    config,
    secrets: createSecretBox(randomBytes(32)),
    outbound: withExampleProviders(createOutbound(networksOf(config.allowedNetworks))),
    throttle: createThrottle({ db, log }),
    documents: createDocuments(log),
    spools: createArchiveRoom(config),
    version: '0.1.0',
  };
}

/** Starts the API on a clone of the template, or on another migrated database; requests go through `app.inject`. The counting worker is not started. */
export async function startService(
  env: Record<string, string> = {},
  log = createLog('fatal'),
  database?: TestDatabase,
): Promise<TestService> {
  const { connection, requests, drop } = database ?? (await cloneDatabase());
  const options = { max: 20, statementTimeout: 120_000, name: 'test' };
  const owner = createPool({ ...options, connection }, log);
  const pool = createPool({ ...options, connection: requests, pipeline: true }, log);
  const statements = recordStatements(pool);
  const clock = createTestClock();
  const dataDir = mkdtempSync(join(tmpdir(), 'zw-test-'));
  const db = createRequestDatabase(pool, { shares: createConnectionShares(options.max) });
  const context = contextOf(env, dataDir, { db, log, clock });
  shareEngine(context);
  const operators = createOwnerDatabase(owner);
  const inForce = createInForce(context, readScopes);
  const app = await createApi(context, operators, inForce);
  watchAnswers(app);
  await app.ready();
  return {
    app,
    context,
    inForce,
    operators,
    clock,
    connection,
    requests,
    sql: async (text, values) => {
      // A cluster takes some kinds of DDL only as a message of their own.
      const statements = values ? [text] : splitStatements(text);
      for (const statement of statements.slice(0, -1)) await owner.query(statement);
      return (await owner.query(statements.at(-1) ?? '', values)).rows;
    },
    mails: async () => {
      const { rows } = await owner.query('SELECT inhalt FROM postausgang ORDER BY erstellt_am, post_id');
      return rows.map(({ inhalt }) => JSON.parse(context.secrets.open(inhalt).toString()) as Mail);
    },
    statements,
    stop: async () => {
      await app.close();
      await context.documents.stop();
      await checkStatements(owner, statements);
      await Promise.all([pool.end(), owner.end()]);
      await drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}
