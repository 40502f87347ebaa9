/** A change of many counted calls lets those be counted that come meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

const OLDEST = 'SELECT eingang_id FROM eingang WHERE mandant_id = $1 ORDER BY eingang_id LIMIT 1';
const IS_THERE = 'SELECT FROM eingang WHERE mandant_id = $1 AND eingang_id = $2';
const LOOK = 20;
/** Milliseconds after which it goes on: perhaps nobody counts. */
const PATIENCE = 2_000;

/**
 * Before the counting lock of a Mandant is taken, and again between two times that it is: where something waits to be counted, until
 * the first of it is. A pause alone would not do: counting reads before it asks for the lock, the longer the more waits.
 */
export async function giveWay(db: OwnerDatabase, mandant: string): Promise<void> {
  const { rows } = await db.query<{ eingang_id: string }>(OLDEST, [mandant]);
  const [oldest] = rows;
  if (!oldest) return;
  const until = performance.now() + PATIENCE;
  do await delay(LOOK);
  while (performance.now() < until && (await db.query(IS_THERE, [mandant, oldest.eingang_id])).rowCount);
}
