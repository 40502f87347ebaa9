/**
 * The counting transaction: inbox rows go, events, ids, rollups, runs and dimensions come, all or nothing. A crash at any
 * point leaves the inbox as it was; a second worker finds the Mandant locked.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { COPY_EVENTS, COPY_IDS, eventLine, idLine } from './copy-line.ts';
import type { Stretch } from './inbox-reader.ts';
import type { CountedEvent } from './normalise.ts';
import { dayTotals, hourTotals, runTotals } from './totals.ts';
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
const copy = (client: pg.PoolClient, statement: string, data: Buffer): Promise<void> =>
  pipeline(Readable.from([data]), client.query(copyFrom(statement)));

const toData = (lines: string[]): Buffer => Buffer.from(lines.join(''));

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

async function withoutKnown(
  client: pg.PoolClient,
  mandant: string,
  events: CountedEvent[],
): Promise<CountedEvent[]> {
  const { rows } = await client.query<{ ereignis_id: string }>(
    'SELECT ereignis_id FROM ereignis_kennungen WHERE mandant_id = $1 AND ereignis_id = ANY($2::uuid[])',
    [mandant, events.map((event) => event.id)],
  );
  const known = new Set(rows.map((row) => row.ereignis_id));
  return events.filter((event) => !known.has(event.id));
}

/**
 * Claims the ids of the events and returns those that are new. Repeats across batches are rare, so the ids are simply
 * copied first; only when the unique key objects are the known ones looked up and left out.
 */
async function claimIds(
  client: pg.PoolClient,
  mandant: string,
  events: CountedEvent[],
): Promise<CountedEvent[]> {
  // In the order of the index: neighbours land on the same pages.
  const claim = (chosen: CountedEvent[]) =>
    copy(client, COPY_IDS, toData(chosen.map((event) => idLine(mandant, event)).sort()));
  await client.query('SAVEPOINT kennungen');
  try {
    await claim(events);
    return events;
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    await client.query('ROLLBACK TO SAVEPOINT kennungen');
    const fresh = await withoutKnown(client, mandant, events);
    if (fresh.length > 0) await claim(fresh);
    return fresh;
  }
}

async function store(client: pg.PoolClient, stretch: Stretch, events: CountedEvent[]): Promise<void> {
  const { mandant } = stretch;
  const whole = events === stretch.events;
  const copyData = whole
    ? Buffer.concat(stretch.copyData)
    : toData(events.map((event) => eventLine(mandant, event)));
  await copy(client, COPY_EVENTS, copyData);
  const hours = hourTotals(events);
  await addDimensions(client, mandant, hours);
  await addHours(client, mandant, hours);
  await addDays(client, mandant, dayTotals(hours));
  await addRuns(client, mandant, runTotals(events));
  await advanceZaehlstand(client, mandant, events);
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
    const fresh = stretch.events.length > 0 ? await claimIds(client, mandant, stretch.events) : [];
    if (fresh.length > 0) await store(client, stretch, fresh);
    return {
      kind: 'counted',
      events: fresh.length,
      duplicates: stretch.repeats + stretch.events.length - fresh.length,
    };
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
