/**
 * The database as its owner sees it: every Mandant at once, row-level security not applied. Only migrations, the
 * counting worker, jobs over all Mandanten and operator reports may import this (an import rule enforces it).
 */
import type pg from 'pg';
import { isCoordinator } from './cluster.ts';
import { inTransaction, withClient } from './pool.ts';

export interface OwnerDatabase {
  /** A statement with a name is prepared once for each connection: the same name is always the same text. */
  query<R extends pg.QueryResultRow>(
    sql: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>>;
  transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /**
   * A transaction that is over before it is on disk, for work that is done again as a whole if a crash undoes it. Only for
   * what nobody hears of as done, and what takes its task and leaves its result in this same transaction.
   */
  repeatable<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /**
   * Whether the database is the coordinator of a cluster: each Mandant has its node there, and what locks or reads by keys of
   * several at once is refused.
   */
  isCluster(): Promise<boolean>;
  close(): Promise<void>;
}

/** A transaction of the owner that is open. What begins one by itself takes part in it. */
export type OwnerTransaction = Pick<OwnerDatabase, 'query' | 'transaction'>;

export const within = (client: pg.PoolClient): OwnerTransaction => ({
  query: (sql, values) => client.query(sql, values),
  transaction: (work) => work(client),
});

const BEGIN_REPEATABLE = 'BEGIN; SET LOCAL synchronous_commit = off';

export function createOwnerDatabase(pool: pg.Pool): OwnerDatabase {
  let cluster: boolean | null = null;
  return {
    query: (sql, values) => withClient(pool, (client) => client.query(sql, values)),
    transaction: (work) => withClient(pool, (client) => inTransaction(client, ['BEGIN'], () => work(client))),
    repeatable: (work) =>
      withClient(pool, (client) => inTransaction(client, [BEGIN_REPEATABLE], () => work(client))),
    async isCluster() {
      cluster ??= await withClient(pool, isCoordinator);
      return cluster;
    },
    close: () => pool.end(),
  };
}
