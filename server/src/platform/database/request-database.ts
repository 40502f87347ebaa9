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

/** A connection inside a transaction under the request role, for the statements that serve several Mandanten. */
export interface RequestClient {
  query: pg.PoolClient['query'];
  /** Binds what follows to one Mandant. */
  bind(mandant: MandantId): Promise<void>;
}

export interface RequestDatabase {
  /** Runs `work` in a transaction that sees the given Mandant and nobody else. */
  forMandant<T>(mandant: MandantId, work: (tx: MandantTx) => Promise<T>): Promise<T>;
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
    close: () => pool.end(),
  };
}
