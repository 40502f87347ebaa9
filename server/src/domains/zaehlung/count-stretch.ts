/**
 * The counting transaction: inbox rows go, events, ids, rollups, runs and dimensions come, all or nothing. A crash at any
 * point leaves the inbox as it was; a second worker finds the Mandant locked.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { COPY_EVENTS, COPY_IDS, idLine } from './copy-line.ts';
import type { Stretch } from './inbox-reader.ts';
import { dayTotals } from './totals.ts';
import { addDays, addDimensions, addHours, addRuns, advanceZaehlstand } from './upserts.ts';

export type CountResult =
  | { kind: 'counted'; events: number; duplicates: number }
  /** Another worker has the Mandant, or has counted these batches already. */
  | { kind: 'taken' };

const UNIQUE_VIOLATION = '23505';

/**
 * In one piece: the system hands it on as the server takes it, while this thread prepares the next stretch. Chunk by chunk
 * the server would wait for the thread to come round to each.
 */
const copy = (client: pg.PoolClient, statement: string, data: Buffer[]): Promise<void> =>
  pipeline(Readable.from([Buffer.concat(data)]), client.query(copyFrom(statement)));

/** One worker per Mandant: the row lock of its `zaehlstaende` row, held until the transaction ends. */
async function lockMandant(client: pg.PoolClient, mandant: string): Promise<boolean> {
  const locked = await client.query(
    'SELECT 1 FROM zaehlstaende WHERE mandant_id = $1 FOR UPDATE SKIP LOCKED',
    [mandant],
  );
  if (locked.rowCount === 1) return true;
  const inserted = await client.query(
    'INSERT INTO zaehlstaende (mandant_id) VALUES ($1) ON CONFLICT DO NOTHING',
    [mandant],
  );
  return inserted.rowCount === 1;
}

async function knownIds(client: pg.PoolClient, stretch: Stretch): Promise<Set<string>> {
  const { rows } = await client.query<{ ereignis_id: string }>(
    'SELECT ereignis_id FROM ereignis_kennungen WHERE mandant_id = $1 AND ereignis_id = ANY($2::uuid[])',
    [stretch.mandant, stretch.ids],
  );
  return new Set(rows.map((row) => row.ereignis_id));
}

/** In the order of the index: neighbours land on the same pages. */
const copyIds = (client: pg.PoolClient, { mandant, ids }: Stretch): Promise<void> =>
  copy(client, COPY_IDS, [
    Buffer.from(
      ids
        .map((id) => idLine(mandant, id))
        .sort()
        .join(''),
    ),
  ]);

/**
 * Claims the ids of the events and returns the stretch of those that are new. Repeats across batches are rare, so the ids
 * are simply copied first; only when the unique key objects are the known ones looked up and left out.
 */
async function claimIds(client: pg.PoolClient, stretch: Stretch): Promise<Stretch> {
  if (stretch.ids.length === 0) return stretch;
  await client.query('SAVEPOINT kennungen');
  try {
    await copyIds(client, stretch);
    return stretch;
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    await client.query('ROLLBACK TO SAVEPOINT kennungen');
    const fresh = stretch.without(await knownIds(client, stretch));
    if (fresh.ids.length > 0) await copyIds(client, fresh);
    return fresh;
  }
}

async function store(client: pg.PoolClient, { mandant, copyData, totals }: Stretch): Promise<void> {
  const span = totals.span();
  if (!span) return;
  await copy(client, COPY_EVENTS, copyData);
  const hours = totals.hours();
  await addDimensions(client, mandant, hours);
  await addHours(client, mandant, hours);
  await addDays(client, mandant, dayTotals(hours));
  await addRuns(client, mandant, totals.runs());
  await advanceZaehlstand(client, mandant, totals.count(), span);
}

/** Counts one stretch. Throws what the database throws; then nothing has changed. */
export function countStretch(db: OwnerDatabase, stretch: Stretch): Promise<CountResult> {
  const { mandant, eingangIds } = stretch;
  return db.transaction(async (client) => {
    if (!(await lockMandant(client, mandant))) return { kind: 'taken' };
    const removed = await client.query(
      'DELETE FROM eingang WHERE mandant_id = $1 AND eingang_id = ANY($2::uuid[])',
      [mandant, eingangIds],
    );
    if (removed.rowCount !== eingangIds.length) {
      // Somebody counted some of them between reading and locking; undo the deletion and read again.
      if (removed.rowCount === 0) return { kind: 'taken' };
      throw new StretchChanged();
    }
    const fresh = await claimIds(client, stretch);
    await store(client, fresh);
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
