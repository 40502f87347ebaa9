/** Statements that are asked again and again of little, for one Mandant after the other: planning each would cost more than what it reads. */
import { createHash } from 'node:crypto';
import type pg from 'pg';

/** One plan for all, whatever the values. In a transaction. */
const GENERIC = 'SET LOCAL plan_cache_mode = force_generic_plan';

const nameOf = (text: string): string => `d_${createHash('sha1').update(text).digest('base64url')}`;

/** Rules of many kinds make many texts, and a connection keeps what is prepared as long as it lives. */
const MOST = 200;
const preparedOn = new WeakMap<pg.PoolClient, Set<string>>();

/** Whether a statement may be prepared on a connection: it is, or there is room. */
function mayPrepare(client: pg.PoolClient, name: string): boolean {
  const prepared = preparedOn.get(client) ?? new Set();
  preparedOn.set(client, prepared);
  if (prepared.size < MOST) prepared.add(name);
  return prepared.has(name);
}

/** The connection with statements that have values prepared when they are asked first, as far as there is room. */
export async function plannedOnce(client: pg.PoolClient): Promise<pg.PoolClient> {
  await client.query(GENERIC);
  const query = (text: unknown, values?: unknown[]) => {
    const name = typeof text === 'string' && values !== undefined ? nameOf(text) : null;
    return name !== null && mayPrepare(client, name)
      ? client.query({ name, text: text as string, values: values ?? [] })
      : client.query(text as string, values);
  };
  return Object.assign(Object.create(client), { query }) as pg.PoolClient;
}
