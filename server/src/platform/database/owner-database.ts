/**
 * The database as its owner sees it: every Mandant at once, row-level security not applied. Only migrations, the
 * counting worker, jobs over all Mandanten and operator reports may import this (an import rule enforces it).
 */
import type pg from 'pg';
import { inTransaction, withClient } from './pool.ts';

export interface OwnerDatabase {
  query<R extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<pg.QueryResult<R>>;
  transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createOwnerDatabase(pool: pg.Pool): OwnerDatabase {
  return {
    query: (sql, values) => withClient(pool, (client) => client.query(sql, values)),
    transaction: (work) => withClient(pool, (client) => inTransaction(client, 'BEGIN', () => work(client))),
    close: () => pool.end(),
  };
}
