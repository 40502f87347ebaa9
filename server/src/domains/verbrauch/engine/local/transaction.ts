/** Writing to the local copy, all or nothing. */
import type { DuckDBConnection } from '@duckdb/node-api';

/** What is in the file is not known any more. */
export class FileUnsure extends Error {}

/** Throws what `work` does, once nothing of it is left; `FileUnsure` where that cannot be said. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN');
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await connection.run('ROLLBACK').catch((cause: unknown) => {
      throw new FileUnsure('a transaction could not be undone', { cause });
    });
    throw error;
  }
  await connection.run('COMMIT').catch((cause: unknown) => {
    throw new FileUnsure('a transaction could not be ended', { cause });
  });
  return result;
}
