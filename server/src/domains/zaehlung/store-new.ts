/**
 * Claims ids and stores events, of those that are new: what was counted before is found when it is there already. All in the
 * counting transaction.
 */
import type pg from 'pg';
import { isoOf } from '#kernel/microseconds.ts';
import { copyIn } from '#platform/database/copy/copy-in.ts';
import { isUnreachable } from '#platform/database/index.ts';
import { COPY_EVENTS, COPY_IDS, idRows } from './copy-row.ts';
import { EventIds } from './event-ids.ts';
import { insertInstead, saysNothing } from './insert-instead.ts';
import type { Part, Stretch } from './stretch.ts';

/** By Mandant. */
export type FoundIds = Map<string, EventIds>;

function remember(found: FoundIds, mandant: string, id: string): void {
  const ids = found.get(mandant) ?? new EventIds();
  found.set(mandant, ids);
  ids.addText(id);
}

/** Adds the ids that were claimed before to `found`. */
async function findClaimed(client: pg.PoolClient, parts: Part[], found: FoundIds): Promise<void> {
  const asked = parts.flatMap(({ mandant, ids }) => ids.texts().map((id) => [mandant, id]));
  const { rows } = await client.query<{ mandant_id: string; ereignis_id: string }>(
    `SELECT k.mandant_id, k.ereignis_id FROM unnest($1::uuid[], $2::uuid[]) AS n (mandant_id, ereignis_id)
     JOIN ereignis_kennungen k USING (mandant_id, ereignis_id) WHERE k.mandant_id = ANY($3::uuid[])`,
    [asked.map(([mandant]) => mandant), asked.map(([, id]) => id), parts.map(({ mandant }) => mandant)],
  );
  for (const { mandant_id, ereignis_id } of rows) remember(found, mandant_id, ereignis_id);
}

/** … and those of events that stand though nobody remembers their id. Reads all of the time from the first to the last event. */
async function findStanding(client: pg.PoolClient, parts: Part[], found: FoundIds): Promise<void> {
  for (const { mandant, ids, span } of parts) {
    if (!span.von || !span.bis) continue;
    const { rows } = await client.query<{ ereignis_id: string }>(
      `SELECT ereignis_id FROM ereignisse
       WHERE mandant_id = $1 AND zeitpunkt >= $2 AND zeitpunkt <= $3 AND ereignis_id = ANY($4::uuid[])`,
      [mandant, isoOf(span.von), isoOf(span.bis), ids.texts()],
    );
    for (const { ereignis_id } of rows) remember(found, mandant, ereignis_id);
  }
}

/** How many events these are. */
export const eventsOf = (parts: Part[]): number => parts.reduce((sum, { ids }) => sum + ids.count, 0);

type Store = (client: pg.PoolClient, stretch: Stretch) => Promise<void>;

const SAVEPOINT = 'SAVEPOINT kennungen';

const byCopy: Store = (client, { parts, eventData }) => {
  const ids = parts.map((part) => ({ mandantBytes: part.mandantBytes, ids: part.ids.bytes }));
  return copyIn(client, `${SAVEPOINT}; ${COPY_IDS}; ${COPY_EVENTS}`, [idRows(ids), eventData.finish()]);
};
const byInsert: Store = async (client, stretch) => {
  await client.query(SAVEPOINT);
  await insertInstead(client, stretch);
};

/** Resolves with why the events cannot be stored, null when they are; then nothing of them is. Throws where nobody answers. */
async function attempt(
  client: pg.PoolClient,
  stretch: Stretch,
  store: Store,
): Promise<{ error: unknown } | null> {
  if (eventsOf(stretch.parts) === 0) return null;
  try {
    await store(client, stretch);
    return null;
  } catch (error) {
    if (isUnreachable(error)) throw error;
    await client.query(`ROLLBACK TO ${SAVEPOINT}`);
    return { error };
  }
}

const UNIQUE_VIOLATION = '23505';
const isThereAlready = (error: unknown) => (error as { code?: string }).code === UNIQUE_VIOLATION;

/**
 * Claims the ids and stores the events; returns the stretch of those that are new. Repeats across batches are rare, so all
 * are simply copied first; only when that fails are the known ids looked up and left out. (Whatever the error says: of a
 * failed COPY a cluster does not hand on which one it was; then an INSERT tells.) If something is still there already, it is an
 * event whose id is not kept. `known`: what is known to be counted under another id.
 */
export async function storeNew(client: pg.PoolClient, stretch: Stretch, known: FoundIds): Promise<Stretch> {
  let store = byCopy;
  let fresh = known.size > 0 ? await stretch.without(known) : stretch;
  let failed = await attempt(client, fresh, store);
  if (!failed) return fresh;
  const again = async () => {
    fresh = await stretch.without(known);
    return attempt(client, fresh, store);
  };
  await findClaimed(client, stretch.parts, known);
  if (known.size > 0) failed = await again();
  if (failed && saysNothing(failed.error)) {
    store = byInsert;
    failed = await again();
  }
  if (failed && isThereAlready(failed.error)) {
    await findStanding(client, fresh.parts, known);
    failed = await again();
  }
  if (failed) throw failed.error;
  return fresh;
}
