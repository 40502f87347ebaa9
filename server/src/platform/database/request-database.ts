/**
 * What requests see of the database. They sign in with a role that owns nothing and cannot bypass row-level security, so
 * that there is nothing to fall back to, and every transaction is bound to one Mandant: a forgotten condition in a query
 * still shows nothing foreign.
 */

import type { Duplex } from 'node:stream';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';
import type { MandantId } from '#kernel/mandant-id.ts';
import { requireCaller } from '../caller.ts';
import { inTransaction, withClient } from './pool.ts';
import type { Functions, Tables } from './schema/tables.ts';
import { type ConnectionShares, onConnection } from './sharing.ts';

export const REQUEST_ROLE = 'zaehlwerk_anfrage';

/**
 * A transaction bound to one Mandant. Statements on volume tables name `mandant`, so that a cluster sends them to the one
 * node that has it; row-level security, which holds everywhere, tells it nothing.
 */
export type MandantTx = Kysely<Tables> & { readonly mandant: MandantId };

/** A transaction under the request role, for questions asked before the Mandant is known; its tables show nothing. */
export type RequestClient = Kysely<Tables> & {
  /** The row with which a function answers that runs as the owner; undefined when it finds nothing. */
  ask<F extends keyof Functions>(name: F, ...sought: (string | Buffer)[]): Promise<Functions[F] | undefined>;
  /** Runs SQL that a library brings. */
  query: pg.PoolClient['query'];
  /** Binds what follows to one Mandant. */
  bind(mandant: MandantId): Promise<MandantTx>;
};

/** Statements that are bound together, in order. */
export interface BoundStatements {
  /** Whose they are. Of several it is only rows for their inboxes (`eingang`) that may be written; nothing is shown. */
  mandanten: readonly [MandantId, ...MandantId[]];
  /** Those with a name are prepared once for each connection; the same name is always the same text. */
  statements: { name?: string; text: string; values: unknown[] }[];
}

/** A Mandant's data as they were at one moment, read only. */
export interface Snapshot {
  /** For what fits into memory. */
  tx: MandantTx;
  /**
   * The rows of a SELECT, page by page, by a cursor of the database: no more than `pageSize` (1,000 unless given) are in
   * memory at a time. A statement may take longer here than elsewhere. Throws once the snapshot has ended.
   */
  pages<R extends pg.QueryResultRow>(
    select: string,
    values?: unknown[],
    pageSize?: number,
  ): AsyncGenerator<R[], void>;
}

export interface RequestDatabase {
  /**
   * Runs `work` in a transaction that sees the given Mandant and nobody else, when a connection of its share is free. Ends, and what it
   * asks the database with it, when the caller hangs up (`platform/caller.ts`).
   */
  forMandant<T>(mandant: MandantId, work: (tx: MandantTx) => Promise<T>): Promise<T>;
  /**
   * Runs statements of several Mandanten in one transaction, each part bound to its own, sent in one go without waiting
   * for the answers in between. Resolves with the results once the transaction is durable; all or nothing.
   */
  writeAtOnce(parts: BoundStatements[]): Promise<pg.QueryResult[][]>;
  /** Runs `work` in a transaction bound to nobody: tables show nothing until `bind` is called. */
  transaction<T>(work: (client: RequestClient) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction that sees the given Mandant as it is now, whatever others write meanwhile, for as long as
   * it takes. Its connection, one of the Mandant's share, is taken up all the time: its caller limits how many do.
   */
  snapshot<T>(mandant: MandantId, work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// `propagate_set_commands` makes a Citus coordinator hand the SET LOCAL after it on to its workers, each of which it sends the
// whole message: the binding is a message of its own. Elsewhere it is an unused name.
const TO_BE_BOUND = `SET LOCAL citus.propagate_set_commands = 'local'`;
/** For who is signed in as the owner. */
const AS_REQUEST = `SET LOCAL ROLE ${REQUEST_ROLE}; ${TO_BE_BOUND}`;

/** How long reading one page may take, in milliseconds. */
const PAGE_TIMEOUT = 60_000;
/** When the server does not even end the statement, in place of the pool's own limit. */
const GIVE_UP_ON_PAGE = PAGE_TIMEOUT + 2_000;
const PAGE_SIZE = 1_000;
const BEGIN_SNAPSHOT = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${PAGE_TIMEOUT}`;

// A literal, not set_config(): only SET LOCAL reaches the workers of a cluster. The type admits UUIDs only.
const bindStatement = (mandant: MandantId) => `SET LOCAL zw.mandant = '${mandant}'`;
const bindInboxes = (mandanten: readonly MandantId[]) =>
  `SET LOCAL zw.mandanten = '{${mandanten.join(',')}}'`;

/** Kysely on one connection; it must never open a second one, or its statements would escape the transaction. */
function kyselyOf(client: pg.PoolClient): Kysely<Tables> {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const whileCalled = (...args: unknown[]) => {
    requireCaller();
    return query(...args);
  };
  const pinned = { query: whileCalled, release: () => undefined } as unknown as PostgresPoolClient;
  const pool: PostgresPool = { connect: async () => pinned, end: async () => undefined, options: {} };
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

const bind = (kysely: Kysely<Tables>, mandant: MandantId): MandantTx =>
  Object.assign(kysely.withTables<Record<never, never>>(), { mandant });

/**
 * Does something for another Mandant within the transaction of one: all or nothing for both. Afterwards the transaction is bound
 * to its own again; `tx` must not be used meanwhile. For what really concerns two, as an address that changes hands.
 */
export async function onBehalfOf<T>(
  tx: MandantTx,
  other: MandantId,
  work: (tx: MandantTx) => Promise<T>,
): Promise<T> {
  await sql.raw(bindStatement(other)).execute(tx);
  const done = await work(bind(tx, other));
  await sql.raw(bindStatement(tx.mandant)).execute(tx);
  return done;
}

/** The socket of a connection; the driver's types leave it out. */
const socketOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

async function writeAtOnce(
  client: pg.PoolClient,
  begin: string,
  parts: BoundStatements[],
): Promise<pg.QueryResult[][]> {
  // One write for all statements: else each of them wakes the server up by itself.
  const socket = socketOf(client);
  socket.cork();
  process.nextTick(() => socket.uncork());
  const before = client.query(begin);
  const sent = parts.map(({ mandanten: [mandant, ...others], statements }) => [
    client.query(others.length === 0 ? bindStatement(mandant) : bindInboxes([mandant, ...others])),
    ...statements.map((statement) => client.query(statement)),
  ]);
  // After a failed statement COMMIT answers ROLLBACK; the failure itself comes out of the statement's own promise.
  const all = [before, ...sent.flat(), client.query('COMMIT')];
  for (const result of await Promise.allSettled(all)) if (result.status === 'rejected') throw result.reason;
  return Promise.all(sent.map(async ([, ...results]) => Promise.all(results)));
}

/** Pages of a connection, until `end`: the connection may be another Mandant's after that. */
function pagesOf(client: pg.PoolClient): { pages: Snapshot['pages']; end(): void } {
  let cursors = 0;
  let ended = false;
  const query = <R extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    if (ended) throw new Error('the snapshot has ended');
    requireCaller();
    const config = { text, values, query_timeout: GIVE_UP_ON_PAGE };
    return client.query<R>(config);
  };
  return {
    async *pages<R extends pg.QueryResultRow>(select: string, values: unknown[] = [], pageSize = PAGE_SIZE) {
      cursors += 1;
      const cursor = `seiten_${cursors}`;
      await query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${select}`, values);
      for (;;) {
        const { rows } = await query<R>(`FETCH ${pageSize} FROM ${cursor}`);
        if (rows.length > 0) yield rows;
        if (rows.length < pageSize) break;
      }
      // The cursor of a reader that leaves early ends with the transaction.
      await query(`CLOSE ${cursor}`);
    },
    end() {
      ended = true;
    },
  };
}

const requestClient = (client: pg.PoolClient, kysely: Kysely<Tables>): RequestClient => {
  const query = client.query.bind(client);
  const ask: RequestClient['ask'] = async (name, ...sought) => {
    const places = sought.map((_, index) => `$${index + 1}`).join(', ');
    return (await query(`SELECT * FROM ${name}(${places})`, sought)).rows[0];
  };
  const bindTo: RequestClient['bind'] = async (mandant) => {
    await query(bindStatement(mandant));
    return bind(kysely, mandant);
  };
  return Object.assign(kysely.withTables<Record<never, never>>(), { query, ask, bind: bindTo });
};

/** Makes the rest of an owner's transaction one Mandant's, for what takes such a transaction (the audit log). */
export async function continueAsMandant(client: pg.PoolClient, mandant: MandantId): Promise<MandantTx> {
  await client.query(AS_REQUEST);
  await client.query(bindStatement(mandant));
  return bind(kyselyOf(client), mandant);
}

/**
 * The pool must be made with `pipeline`, and sign in as the request role; that of the command line, which is the owner's
 * anyway, takes the role on in each transaction. Without `shares` the first to come takes what there is.
 */
export function createRequestDatabase(
  pool: pg.Pool,
  { signedInAs = 'request', shares }: { signedInAs?: 'request' | 'owner'; shares?: ConnectionShares } = {},
): RequestDatabase {
  const from = { pool, shares };
  const kyselys = new WeakMap<pg.PoolClient, Kysely<Tables>>();
  const forClient = (client: pg.PoolClient) => {
    const known = kyselys.get(client) ?? kyselyOf(client);
    kyselys.set(client, known);
    return known;
  };
  const opening = signedInAs === 'owner' ? AS_REQUEST : TO_BE_BOUND;
  const begin = `BEGIN; ${opening}`;
  const beginSnapshot = `${BEGIN_SNAPSHOT}; ${opening}`;
  return {
    forMandant: (mandant, work) =>
      onConnection(from, { holder: mandant }, (client) =>
        inTransaction(client, [begin, bindStatement(mandant)], () => work(bind(forClient(client), mandant))),
      ),
    transaction: (work) =>
      onConnection(from, { holder: null }, (client) =>
        inTransaction(client, [begin], () => work(requestClient(client, forClient(client)))),
      ),
    snapshot: (mandant, work) =>
      onConnection(from, { holder: mandant, slowly: true }, (client) =>
        inTransaction(client, [beginSnapshot, bindStatement(mandant)], () => {
          const { pages, end } = pagesOf(client);
          return work({ tx: bind(forClient(client), mandant), pages }).finally(end);
        }),
      ),
    // Bounded by who writes (`ereignisse`), and never behind requests.
    writeAtOnce: (parts) => withClient(pool, (client) => writeAtOnce(client, begin, parts)),
    close: () => pool.end(),
  };
}
