/**
 * What requests see of the database. Every transaction runs under a role that owns nothing and cannot bypass
 * row-level security, and is bound to one Mandant: two layers, so that a forgotten condition in a query still shows
 * nothing foreign.
 */
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { MandantId } from '#kernel/mandant-id.ts';
import { inTransaction, withClient } from './pool.ts';

export const REQUEST_ROLE = 'zaehlwerk_anfrage';

declare const bound: unique symbol;

/** A transaction bound to one Mandant. A slice names its tables with `tx.withTables<…>()`. */
export type MandantTx = Kysely<Record<never, never>> & { readonly [bound]: true };

/** A connection inside a transaction under the request role, for questions asked before the Mandant is known. */
export interface RequestClient {
  query: pg.PoolClient['query'];
  /** Binds what follows to one Mandant. */
  bind(mandant: MandantId): Promise<void>;
}

/** Statements that belong to one Mandant, in order. */
export interface BoundStatements {
  mandant: MandantId;
  statements: { text: string; values: unknown[] }[];
}

export interface RequestDatabase {
  /** Runs `work` in a transaction that sees the given Mandant and nobody else. */
  forMandant<T>(mandant: MandantId, work: (tx: MandantTx) => Promise<T>): Promise<T>;
  /**
   * Runs statements of several Mandanten in one transaction, each bound to its own, sent in one go without waiting for
   * the answers in between. Resolves with the results once the transaction is durable; all or nothing.
   */
  writeAtOnce(parts: BoundStatements[]): Promise<pg.QueryResult[][]>;
  /** Runs `work` in a transaction bound to nobody: tables show nothing until `bind` is called. */
  transaction<T>(work: (client: RequestClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// `propagate_set_commands` makes a Citus coordinator hand SET LOCAL on to its workers; elsewhere it is an unused name.
const BEGIN = `BEGIN; SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL ROLE ${REQUEST_ROLE}`;

// A literal, not set_config(): only SET LOCAL reaches the workers of a cluster. The type admits UUIDs only.
const bindStatement = (mandant: MandantId) => `SET LOCAL zw.mandant = '${mandant}'`;

/** One Kysely per physical connection; it must never open a second one, or its statements would escape. */
function kyselyOf(client: pg.PoolClient): Kysely<Record<never, never>> {
  const pinned = {
    query: client.query.bind(client),
    release: () => undefined,
  } as unknown as pg.PoolClient;
  return new Kysely({
    dialect: new PostgresDialect({
      pool: { connect: async () => pinned, end: async () => undefined } as unknown as pg.Pool,
    }),
  });
}

async function writeAtOnce(client: pg.PoolClient, parts: BoundStatements[]): Promise<pg.QueryResult[][]> {
  const before = client.query(BEGIN);
  const sent = parts.map(({ mandant, statements }) => [
    client.query(bindStatement(mandant)),
    ...statements.map(({ text, values }) => client.query(text, values)),
  ]);
  // After a failed statement COMMIT answers ROLLBACK; the failure itself comes out of the statement's own promise.
  const all = [before, ...sent.flat(), client.query('COMMIT')];
  for (const result of await Promise.allSettled(all)) if (result.status === 'rejected') throw result.reason;
  return Promise.all(sent.map(async ([, ...results]) => Promise.all(results)));
}

/** The pool must be made with `pipeline`. */
export function createRequestDatabase(pool: pg.Pool): RequestDatabase {
  const kyselys = new WeakMap<pg.PoolClient, Kysely<Record<never, never>>>();
  const forClient = (client: pg.PoolClient) => {
    const known = kyselys.get(client) ?? kyselyOf(client);
    kyselys.set(client, known);
    return known;
  };
  return {
    forMandant: (mandant, work) =>
      withClient(pool, (client) =>
        inTransaction(client, `${BEGIN}; ${bindStatement(mandant)}`, () =>
          work(forClient(client) as MandantTx),
        ),
      ),
    transaction: (work) =>
      withClient(pool, (client) =>
        inTransaction(client, BEGIN, () =>
          work({
            query: client.query.bind(client),
            bind: async (mandant) => void (await client.query(bindStatement(mandant))),
          }),
        ),
      ),
    writeAtOnce: (parts) => withClient(pool, (client) => writeAtOnce(client, parts)),
    close: () => pool.end(),
  };
}
