/** Questions to the database by anybody: the owner's pool, a transaction, a request. */
import { CompiledQuery } from 'kysely';
import type { ServiceContext } from '#platform/context.ts';

export interface Asking {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** Under the request role, bound to no Mandant. */
export const asRequest = ({ db }: Pick<ServiceContext, 'db'>): Asking => ({
  query: <Row extends object>(text: string, values: unknown[] = []) =>
    db.transaction((client) => client.executeQuery<Row>(CompiledQuery.raw(text, values))),
});
