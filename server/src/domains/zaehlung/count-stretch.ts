/**
 * The counting transaction: inbox rows go, events, ids, rollups, runs and dimensions come, all or nothing. A crash at any
 * point leaves the inbox as it was; a second worker finds the Mandant locked.
 */
import type pg from 'pg';
import { copyIn } from '#platform/database/copy/copy-in.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { COPY_EVENTS, COPY_IDS } from './copy-row.ts';
import { type EventKey, keyOf, uuidOf } from './event-key.ts';
import type { Stretch } from './inbox-reader.ts';
import { dayTotals } from './totals.ts';
import { addCounted } from './upserts.ts';

export type CountResult =
  | { kind: 'counted'; events: number; duplicates: number }
  /** Another worker has the Mandant, or has counted these batches already. */
  | { kind: 'taken' };

const UNIQUE_VIOLATION = '23505';

/** Answers how many rows it locked, and how many batches it took from the inbox: none when it could not lock. */
const TAKE = `WITH sperre AS (SELECT 1 FROM zaehlstaende WHERE mandant_id = $1 FOR UPDATE SKIP LOCKED),
    weg AS (DELETE FROM eingang WHERE mandant_id = $1 AND eingang_id = ANY($2::uuid[]) AND EXISTS (SELECT FROM sperre)
      RETURNING 1)
  SELECT (SELECT count(*) FROM sperre)::int AS locked, (SELECT count(*) FROM weg)::int AS taken`;

/**
 * Takes batches out of the inbox and returns how many there still were. One worker per Mandant: the row lock of its
 * `zaehlstaende` row, held until the transaction ends; null when another worker has it.
 */
async function takeBatches(client: pg.PoolClient, { mandant, eingangIds }: Stretch): Promise<number | null> {
  const take = async () =>
    (await client.query<{ locked: number; taken: number }>(TAKE, [mandant, eingangIds])).rows[0];
  let answer = await take();
  if (answer?.locked === 0) {
    // A batch may have been read long ago: nothing is begun for a Mandant that has been removed since.
    const there = await client.query('SELECT FROM mandanten WHERE mandant_id = $1 FOR KEY SHARE', [mandant]);
    if (there.rowCount === 0) return null;
    const inserted = await client.query(
      'INSERT INTO zaehlstaende (mandant_id) VALUES ($1) ON CONFLICT DO NOTHING',
      [mandant],
    );
    if (inserted.rowCount !== 1) return null;
    answer = await take();
  }
  return answer?.taken ?? null;
}

/** Waits until nobody counts a Mandant, and keeps everybody from it until the transaction ends. */
export async function holdCounting(client: pg.PoolClient, mandant: string): Promise<void> {
  await client.query('INSERT INTO zaehlstaende (mandant_id) VALUES ($1) ON CONFLICT DO NOTHING', [mandant]);
  await client.query('SELECT FROM zaehlstaende WHERE mandant_id = $1 FOR UPDATE', [mandant]);
}

async function knownIds(client: pg.PoolClient, stretch: Stretch): Promise<Set<EventKey>> {
  const { rows } = await client.query<{ ereignis_id: string }>(
    'SELECT ereignis_id FROM ereignis_kennungen WHERE mandant_id = $1 AND ereignis_id = ANY($2::uuid[])',
    [stretch.mandant, stretch.ids.map(uuidOf)],
  );
  return new Set(rows.map((row) => keyOf(row.ereignis_id)));
}

const copyAll = (client: pg.PoolClient, { idData, eventData }: Stretch, before = ''): Promise<void> =>
  copyIn(client, `${before}${COPY_IDS}; ${COPY_EVENTS}`, [idData, eventData.finish()]);

/**
 * Claims the ids and stores the events; returns the stretch of those that are new. Repeats across batches are rare, so all
 * are simply copied first; only when the unique key objects are the known ids looked up and left out.
 */
async function copyNew(client: pg.PoolClient, stretch: Stretch): Promise<Stretch> {
  if (stretch.ids.length === 0) return stretch;
  try {
    await copyAll(client, stretch, 'SAVEPOINT kennungen; ');
    return stretch;
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    await client.query('ROLLBACK TO SAVEPOINT kennungen');
    const fresh = await stretch.without(await knownIds(client, stretch));
    if (fresh.ids.length > 0) await copyAll(client, fresh);
    return fresh;
  }
}

async function addUp(client: pg.PoolClient, { mandant, totals }: Stretch): Promise<void> {
  const span = totals.span();
  if (!span) return;
  const hours = totals.hours();
  const days = dayTotals(hours);
  await addCounted(client, mandant, {
    hours,
    days,
    runs: totals.runs(),
    agents: totals.agents(),
    count: totals.count(),
    span,
  });
}

/** Counts one stretch. Throws what the database throws; then nothing has changed. */
export function countStretch(db: OwnerDatabase, stretch: Stretch): Promise<CountResult> {
  const { eingangIds } = stretch;
  // A crash that undoes the commit brings the batches back into the inbox, too.
  return db.repeatable(async (client) => {
    const taken = await takeBatches(client, stretch);
    // Nothing left: somebody counted them between reading and locking.
    if (taken === null || (taken === 0 && eingangIds.length > 0)) return { kind: 'taken' };
    if (taken !== eingangIds.length) throw new StretchChanged();
    const fresh = await copyNew(client, stretch);
    await addUp(client, fresh);
    const sent = stretch.repeats + stretch.ids.length;
    return { kind: 'counted', events: fresh.ids.length, duplicates: sent - fresh.ids.length };
  });
}

/** The inbox was changed by another worker after it was read. */
export class StretchChanged extends Error {}

/** Sets a batch aside that cannot be counted: it leaves the inbox, stays stored with the reason, and shows in status and metrics. */
export async function setAside(
  db: OwnerDatabase,
  mandant: string,
  eingangId: string,
  reason: string,
): Promise<void> {
  await db.query(
    `WITH weg AS (DELETE FROM eingang WHERE mandant_id = $1 AND eingang_id = $2 RETURNING *)
     INSERT INTO eingang_unzaehlbar (mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten, grund)
     SELECT mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten, $3 FROM weg`,
    [mandant, eingangId, reason],
  );
}
