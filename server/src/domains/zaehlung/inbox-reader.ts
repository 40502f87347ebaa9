/** Reads a Mandant's accepted batches in order and turns them into counted events. Nothing is written here. */
import { setImmediate } from 'node:timers/promises';
import { unpackBatch, type WaitingBatch } from '#domains/ereignisse/index.ts';
import { type ExchangeRates, loadExchangeRates, type PriceList } from '#domains/preise/index.ts';
import { uuidBytes } from '#kernel/hex.ts';
import { createLocalHours, type LocalHour } from '#kernel/local-hours.ts';
import { instantOf } from '#kernel/microseconds.ts';
import { CopyBuffer } from '#platform/database/copy/copy-buffer.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { idRows, USUAL_ROW, writeEvent } from './copy-row.ts';
import { bytesOf, type EventKey, keyAt } from './event-key.ts';
import { type CountedEvent, createNormaliser, type Surroundings } from './normalise.ts';
import { createTotals, type Totals } from './totals.ts';

/** A stretch of the inbox, ready to be counted in one transaction. Of the events only what is written is kept. */
export interface Stretch {
  mandant: string;
  /** The same, as it goes over the wire. */
  mandantBytes: Uint8Array;
  eingangIds: string[];
  /** Ids of the events; of equal ids within the stretch only the first. */
  ids: EventKey[];
  /** Ids and events in the form of COPY: made while the stretch before is being written. */
  idData: Buffer;
  eventData: CopyBuffer;
  totals: Totals;
  /** How many repeats were left out. */
  repeats: number;
  /** Batches whose bytes are no batch; they are in none of the other fields. */
  unreadable: { eingangId: string; reason: string }[];
  /** Where to read on. */
  lastId: string;
  /** The same stretch without events that were counted before. */
  without(known: ReadonlySet<EventKey>): Promise<Stretch>;
}

interface InboxRow extends WaitingBatch {
  eingang_id: string;
  projekt: string | null;
}

export interface InboxReader {
  /** The next stretch after `afterId` without the batches that are `underWay`; null when there is none. */
  next(mandant: string, afterId: string, underWay: string[]): Promise<Stretch | null>;
  /** One batch alone; null when it is gone. */
  one(mandant: string, eingangId: string): Promise<Stretch | null>;
  /** Takes back the memory of a stretch whose data the database has taken completely. */
  recycle(stretch: Stretch): void;
}

/** Smaller than every id. */
export const START = '00000000-0000-0000-0000-000000000000';

const MAX_BATCHES = 200;
/** A stretch ends with the batch that reaches this many events. */
const MAX_EVENTS = 5_000;
/**
 * … or this many bytes, packed or as rows: free data can make a single event megabytes, and memory is bounded. A text that
 * many events share stands once in a batch and in each of their rows.
 */
const MAX_BYTES = 8 * 1024 * 1024;
/** After this many events the thread turns to whatever else waits for it. */
const EVENTS_AT_ONCE = 32;
/** Room for the rows of a usual stretch; it is kept for the next ones, up to a bound. */
const USUAL_BYTES = MAX_EVENTS * USUAL_ROW;
const MAX_SPARE = 4;
const MAX_SPARE_BYTES = 8 * 1024 * 1024;
const RATES_KEPT = 60_000;
const MAX_ZONES = 200;

// The running sum is taken before the data are fetched, so that no more is read than is counted.
const NEXT_ROWS = `SELECT eingang_id, empfangen_am, projekt, umfang, daten FROM (
    SELECT *, sum(anzahl) OVER (ORDER BY eingang_id) - anzahl AS ereignisse_davor,
      sum(umfang) OVER (ORDER BY eingang_id) - umfang AS umfang_davor FROM (
      SELECT * FROM eingang WHERE mandant_id = $1 AND eingang_id > $2 AND eingang_id <> ALL($3::uuid[])
      ORDER BY eingang_id LIMIT ${MAX_BATCHES}) AS naechste
  ) AS gezaehlt WHERE ereignisse_davor < ${MAX_EVENTS} AND umfang_davor < ${MAX_BYTES} ORDER BY eingang_id`;
const ONE_ROW =
  'SELECT eingang_id, empfangen_am, projekt, umfang, daten FROM eingang WHERE mandant_id = $1 AND eingang_id = $2';

/** A batch with what its events are seen in. */
interface Batch {
  row: InboxRow;
  around: Surroundings;
}

/** Adds the events of one batch, but for those whose id is in `seen`. Throws before it changes anything. */
async function addBatch(stretch: Stretch, seen: Set<EventKey>, { row, around }: Batch): Promise<void> {
  const fresh: CountedEvent[] = [];
  const ids: EventKey[] = [];
  const before = stretch.eventData.mark();
  const batch = unpackBatch(row);
  const eventAt = createNormaliser(batch, around);
  try {
    for (let index = 0; index < batch.events; index += 1) {
      // The stretch before is on its way to the database over this same thread: let its data move on.
      if (index % EVENTS_AT_ONCE === 0) await setImmediate();
      const id = keyAt(batch.columns.of('ereignis_id'), index);
      if (seen.has(id)) continue;
      const event = eventAt(index);
      writeEvent(stretch.eventData, stretch.mandantBytes, batch, index, event);
      seen.add(id);
      ids.push(id);
      fresh.push(event);
    }
  } catch (error) {
    stretch.eventData.rewind(before);
    for (const id of ids) seen.delete(id);
    throw error;
  }
  for (const event of fresh) stretch.totals.add(event);
  for (const id of ids) stretch.ids.push(id);
  stretch.repeats += batch.events - fresh.length;
  stretch.eingangIds.push(row.eingang_id);
}

/** Adds batches as long as there is room; one that throws is noted and left out. */
async function addBatches(stretch: Stretch, seen: Set<EventKey>, batches: Batch[]): Promise<Stretch> {
  for (const batch of batches) {
    if (stretch.eventData.length > MAX_BYTES) break;
    stretch.lastId = batch.row.eingang_id;
    try {
      await addBatch(stretch, seen, batch);
    } catch (error) {
      stretch.unreadable.push({ eingangId: batch.row.eingang_id, reason: String(error) });
    }
  }
  stretch.idData = idRows(stretch.mandantBytes, bytesOf(stretch.ids));
  return stretch;
}

function emptyStretch(mandant: string, batches: Batch[], eventData: CopyBuffer): Stretch {
  return {
    mandant,
    mandantBytes: uuidBytes(mandant),
    eingangIds: [],
    ids: [],
    idData: Buffer.alloc(0),
    eventData,
    totals: createTotals(),
    repeats: 0,
    unreadable: [],
    lastId: START,
    without(known) {
      const readable = batches.filter(({ row }) => this.eingangIds.includes(row.eingang_id));
      return addBatches(
        emptyStretch(mandant, readable, new CopyBuffer(USUAL_BYTES)),
        new Set(known),
        readable,
      );
    },
  };
}

export function createInboxReader(db: OwnerDatabase, prices: PriceList, substituteRate: string): InboxReader {
  const zones = new Map<string, (epochMs: number) => LocalHour>();
  const spare: CopyBuffer[] = [];
  let rates: ExchangeRates | null = null;
  let ratesUntil = 0;

  const currentRates = async (): Promise<ExchangeRates> => {
    if (!rates || Date.now() > ratesUntil) {
      rates = await loadExchangeRates(db, substituteRate);
      ratesUntil = Date.now() + RATES_KEPT;
    }
    return rates;
  };

  const localHours = (zone: string) => {
    const known = zones.get(zone) ?? createLocalHours(zone);
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(zone, known);
    return known;
  };

  const readMandant = async (mandant: string) => {
    const [zone, chosen] = await Promise.all([
      db.query<{ zeitzone: string }>('SELECT zeitzone FROM mandanten WHERE mandant_id = $1', [mandant]),
      db.query<{ schluessel: string; projekt: string }>(
        'SELECT schluessel, projekt FROM agenten WHERE mandant_id = $1 AND projekt_fest',
        [mandant],
      ),
    ]);
    return {
      localHour: localHours(zone.rows[0]?.zeitzone ?? 'UTC'),
      agentProjekte: new Map(chosen.rows.map((row) => [row.schluessel, row.projekt])),
    };
  };

  const toStretch = async (mandant: string, rows: InboxRow[]): Promise<Stretch | null> => {
    if (rows.length === 0) return null;
    const [known, ratesNow] = await Promise.all([readMandant(mandant), currentRates()]);
    const common = { ...known, prices, rates: ratesNow };
    const batches = rows.map((row) => ({
      row,
      around: { ...common, received: instantOf(row.empfangen_am), schluesselProjekt: row.projekt },
    }));
    const memory = spare.pop() ?? new CopyBuffer(USUAL_BYTES);
    return addBatches(emptyStretch(mandant, batches, memory), new Set(), batches);
  };

  return {
    next: async (mandant, afterId, underWay) =>
      toStretch(mandant, (await db.query<InboxRow>(NEXT_ROWS, [mandant, afterId, underWay])).rows),
    one: async (mandant, eingangId) =>
      toStretch(mandant, (await db.query<InboxRow>(ONE_ROW, [mandant, eingangId])).rows),
    recycle({ eventData }) {
      if (spare.length >= MAX_SPARE || eventData.capacity > MAX_SPARE_BYTES) return;
      eventData.reset();
      spare.push(eventData);
    },
  };
}
