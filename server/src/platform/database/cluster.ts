/** A cluster (Citus): one PostgreSQL coordinates others that hold the Mandanten. */
import type pg from 'pg';

/** Whether a server coordinates a cluster. */
export async function isCoordinator(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rowCount === 1;
}
