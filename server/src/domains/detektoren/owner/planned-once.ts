/** Statements that are asked again and again of little, for one Mandant after the other: planning each would cost more than what it reads. */
import { createHash } from 'node:crypto';
import type pg from 'pg';

/** One plan for all, whatever the values. In a transaction. */
const GENERIC = 'SET LOCAL plan_cache_mode = force_generic_plan';

const nameOf = (text: string): string => `d_${createHash('sha1').update(text).digest('base64url')}`;

/** The connection with statements that have values prepared when they are asked first; the texts must be few. */
export async function plannedOnce(client: pg.PoolClient): Promise<pg.PoolClient> {
  await client.query(GENERIC);
  const query = (text: unknown, values?: unknown[]) =>
    typeof text === 'string' && values !== undefined
      ? client.query({ name: nameOf(text), text, values })
      : client.query(text as string, values);
  return Object.assign(Object.create(client), { query }) as pg.PoolClient;
}
