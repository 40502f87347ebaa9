import type pg from 'pg';
import { isUnreachable } from '#platform/database/index.ts';

const CANCELLED = '57014';
/** Deadlocks and the like: the same once more may do. */
const AGAIN = '40';

/** Whether the same work would fail with the same data again: neither is the database away, nor did somebody get in between. */
function isOfTheWork(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return code === CANCELLED || !(isUnreachable(error) || code.startsWith(AGAIN));
}

/**
 * Does something that may fail without ending the transaction around it: what it wrote is undone then, and the fault told. What ends
 * the whole transaction anyway is thrown.
 */
export async function apart<T>(
  client: pg.PoolClient,
  work: () => Promise<T>,
  onFailure: (error: unknown) => T | Promise<T>,
): Promise<T> {
  await client.query('SAVEPOINT apart');
  try {
    const result = await work();
    await client.query('RELEASE SAVEPOINT apart');
    return result;
  } catch (error) {
    if (!isOfTheWork(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT apart; RELEASE SAVEPOINT apart');
    return onFailure(error);
  }
}
