/** Connection pools and how values cross the wire. */
import pg from 'pg';
import type { Log } from '../log.ts';

const { builtins } = pg.types;

/** `2026-03-29 01:30:00.123456+00` (sessions run in UTC) as ISO 8601; no Date, it would cut the microseconds. */
const toIso = (text: string): string => `${text.slice(0, 10)}T${text.slice(11).replace(/\+00$/, '')}Z`;

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, toIso],
  [builtins.DATE, (text) => text],
  // Counts beyond 2^53 stay text and are turned into exact numbers by `toCount`.
  [builtins.INT8, (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)],
]);

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) ||
    pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * A connection of its own, not yet open. One that breaks between two statements is noticed by the next of them; unheard it would end
 * the process.
 */
export function createClient(connection: pg.ClientConfig): pg.Client {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  return client;
}

export interface PoolOptions {
  connection: pg.ClientConfig;
  /** Most connections at a time. */
  max: number;
  /** Longest a statement may run, in milliseconds. */
  statementTimeout: number;
  /**
   * After how many milliseconds the client gives up on a server that does not answer at all. Not for pools that COPY:
   * the driver leaves the timer of a COPY running.
   */
  giveUp?: number;
  name: string;
  /** Statements are sent without waiting for the answers to those before them. Not for pools that COPY. */
  pipeline?: boolean;
  /** Each statement is worked on by one process: for many short ones, which helpers take longer to begin than to do. */
  alone?: boolean;
}

export function createPool(options: PoolOptions, log: Log): pg.Pool {
  const pool = new pg.Pool({
    ...options.connection,
    max: options.max,
    application_name: `zaehlwerk-${options.name}`,
    types,
    pipeline: options.pipeline ?? false,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    ...(options.giveUp === undefined ? {} : { query_timeout: options.giveUp }),
    options: `-c TimeZone=UTC -c statement_timeout=${options.statementTimeout}${options.alone ? ' -c max_parallel_workers_per_gather=0' : ''}`,
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
  // One that breaks while it is in use, between two statements, likewise; the next statement throws then.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const CANCELLED = '57014';

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  CANCELLED,
  '25006',
]);
/** Classes of SQLSTATE: no connection, no room (memory, a full disk), trouble of the system below. */
const UNREACHABLE_CLASSES = new Set(['08', '53', '58']);
const UNREACHABLE_MESSAGE = /timeout|terminated|Connection ended|not queryable|connection error/i;

/**
 * A cluster hands on what one of its nodes met with as an internal error of its own (XX000), in the words of the client library or of
 * itself: nodes that are down, connections between them that end, commits that reached no active part of a table.
 */
const LOST_STATE = 'XX000';
const NODE_AWAY =
  /postmaster was shut down|could not commit transaction for shard|connection (to the remote node|not open|pointer is NULL)|server closed the connection|(terminating connection|the database system is) |failed to connect|could not (connect|receive data)|SSL (connection|SYSCALL)|no connection to the server/i;

const isNodeAway = (code: string, message: string): boolean => code === LOST_STATE && NODE_AWAY.test(message);

/** Whether an error says that the database cannot answer now, as opposed to having refused the statement. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code;
  if (code !== undefined)
    return (
      UNREACHABLE_CODES.has(code) ||
      UNREACHABLE_CLASSES.has(code.slice(0, 2)) ||
      isNodeAway(code, error.message)
    );
  return UNREACHABLE_MESSAGE.test(error.message);
}

/** Whether a statement was ended because it took longer than it may: the database is there, the question is too much. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === CANCELLED;

/** Whether an error says that the disk of the database is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: string }).code === '53100';

/** A rollback that was refused, because it was taken for the statement that somebody had ended, leaves the transaction open. */
const isWithinTransaction = (client: pg.PoolClient): boolean =>
  ['T', 'E'].includes(client.getTransactionStatus() ?? '');

/** Runs `work` on one connection of the pool; one that failed outside SQL, or is within a transaction yet, is thrown away. */
export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    return await work(client);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    client.release(isUnreachable(failure) || isWithinTransaction(client));
  }
}

/** BEGIN … COMMIT around `work`; ROLLBACK when it throws. `begin` are the messages that open the transaction, sent in one go. */
export async function inTransaction<T>(
  client: pg.PoolClient,
  begin: string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    await Promise.all(begin.map((message) => client.query(message)));
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // After a lost connection there is nothing to roll back, and the first error is the one that counts.
    if (!isUnreachable(error)) await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
