/** Statements that the owner and requests send alike. */
import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { MandantTx } from './request-database.ts';

/** Sends a statement with its values; resolves with its rows. */
export type Ask = <R extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<R[]>;

/** On a connection of the owner. */
export const askAsOwner =
  (client: Pick<pg.ClientBase, 'query'>): Ask =>
  async <R extends pg.QueryResultRow>(text: string, values: unknown[]) =>
    (await client.query<R>(text, values)).rows;

/** In the transaction of a request; the statement names its Mandant. */
export const askInRequest =
  (tx: MandantTx): Ask =>
  async <R extends pg.QueryResultRow>(text: string, values: unknown[]) =>
    (await tx.executeQuery<R>(CompiledQuery.raw(text, values))).rows;
