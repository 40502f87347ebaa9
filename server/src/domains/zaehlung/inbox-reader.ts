/** Reads accepted batches in order and turns them into counted events. Nothing is written here. */
import { setImmediate } from 'node:timers/promises';
import { unpackBatch, type WaitingBatch } from '#domains/ereignisse/index.ts';
import { type ExchangeRates, loadExchangeRates, type PriceList } from '#domains/preise/index.ts';
import { uuidBytes } from '#kernel/hex.ts';
import { createLocalHours, type LocalHour } from '#kernel/local-hours.ts';
import { instantOf } from '#kernel/microseconds.ts';
import { CopyBuffer } from '#platform/database/copy/copy-buffer.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { USUAL_ROW, writeEvent } from './copy-row.ts';
import { EventIds } from './event-ids.ts';
import { type CountedEvent, createNormaliser, type Surroundings } from './normalise.ts';
import { Agents, Runs, Span } from './runs.ts';
import { Steps } from './steps.ts';
import { Sums } from './sums/sums.ts';

/** What a stretch holds of one Mandant. Of the events only what is written is kept. */
export interface Part {
  mandant: string;
  /** The same, as it goes over the wire. */
  mandantBytes: Uint8Array;
  eingangIds: string[];
  /** Ids of the events; of equal ids within the stretch only the first. */
  ids: EventIds;
  /** How many repeats were left out. */
  repeats: number;
  sums: Sums;
  runs: Runs;
  agents: Agents;
  span: Span;
  steps: Steps;
}

/** By Mandant: ids that were counted before. */
export type KnownIds = ReadonlyMap<string, EventIds>;

/** A stretch of the inbox, of one Mandant or several, ready to be counted in one transaction. */
export interface Stretch {
  parts: Part[];
  /** The events in the form of COPY: made while the stretch before is being written. */
  eventData: CopyBuffer;
  /** Batches whose bytes are no batch; they are in no part. */
  unreadable: { mandant: string; eingangId: string; reason: string }[];
  /** Where to read on; of a stretch of one Mandant. */
  lastId: string;
  /** The same stretch without events that were counted before. */
  without(known: KnownIds): Promise<Stretch>;
}

interface InboxRow extends WaitingBatch {
  mandant_id: string;
  eingang_id: string;
  projekt: string | null;
}

export interface InboxReader {
  /** The next stretch of a Mandant after `afterId` without the batches that are `underWay`; null when there is none. */
  next(mandant: string, afterId: string, underWay: string[]): Promise<Stretch | null>;
  /** What waits of several Mandanten; the rest of it, where it is more than a stretch, waits on. Null when nothing does. */
  several(mandanten: string[]): Promise<Stretch | null>;
  /** One batch alone; null when it is gone. */
  one(mandant: string, eingangId: string): Promise<Stretch | null>;
  /** Takes back the memory of a stretch whose data the database has taken completely. */
  recycle(stretch: Stretch): void;
}

/** Smaller than every id. */
export const START = '00000000-0000-0000-0000-000000000000';

const MAX_BATCHES = 400;
/** Batches that hold little. */
const MAX_SMALL_BATCHES = 4_000;
/** A stretch ends with the batch that reaches this many events: what many of them share is written once. */
export const MAX_EVENTS = 20_000;
/**
 * … or this many bytes, packed or as rows: free data can make a single event megabytes, and memory is bounded. A text that
 * many events share stands once in a batch and in each of their rows.
 */
const MAX_BYTES = 12 * 1024 * 1024;
/** After this many events the thread turns to whatever else waits for it. */
const EVENTS_AT_ONCE = 32;
/** Room for the rows of a small stretch; grown memory is kept for the next ones, up to a bound. */
const USUAL_BYTES = 5_000 * USUAL_ROW;
const MAX_SPARE = 4;
const MAX_SPARE_BYTES = 14 * 1024 * 1024;
const RATES_KEPT = 60_000;
const MAX_ZONES = 200;

const COLUMNS = 'mandant_id, eingang_id, empfangen_am, projekt, umfang, daten';
// The running sum is taken before the data are fetched, so that no more is read than is counted.
const upToAStretch = (waiting: string) => `SELECT ${COLUMNS} FROM (
    SELECT *, sum(anzahl) OVER reihe - anzahl AS ereignisse_davor, sum(umfang) OVER reihe - umfang AS umfang_davor
    FROM (${waiting}) AS naechste WINDOW reihe AS (ORDER BY eingang_id, mandant_id)
  ) AS gezaehlt WHERE ereignisse_davor < ${MAX_EVENTS} AND umfang_davor < ${MAX_BYTES} ORDER BY eingang_id, mandant_id`;
const NEXT_ROWS = upToAStretch(
  `SELECT * FROM eingang WHERE mandant_id = $1 AND eingang_id > $2 AND eingang_id <> ALL($3::uuid[])
   ORDER BY eingang_id LIMIT ${MAX_BATCHES}`,
);
const ROWS_OF_SEVERAL = upToAStretch(
  `SELECT * FROM eingang WHERE mandant_id = ANY($1::uuid[]) ORDER BY eingang_id LIMIT ${MAX_SMALL_BATCHES}`,
);
const ONE_ROW = `SELECT ${COLUMNS} FROM eingang WHERE mandant_id = $1 AND eingang_id = $2`;

/** A batch with what its events are seen in. */
interface Batch {
  row: InboxRow;
  around: Surroundings;
}

/** Adds the events of one batch, but for those whose id is known. Throws before it changes anything. */
async function addBatch(
  stretch: Stretch,
  part: Part,
  known: EventIds | undefined,
  { row, around }: Batch,
): Promise<void> {
  const fresh: CountedEvent[] = [];
  /** Their numbers in the batch. */
  const places: number[] = [];
  const before = stretch.eventData.mark();
  const idsBefore = part.ids.count;
  const batch = unpackBatch(row);
  const eventAt = createNormaliser(batch, around);
  const ids = batch.columns.of('ereignis_id');
  const idAt = batch.idHalves();
  const promptAt = batch.fingerprints('prompt_fingerabdruck');
  const werkzeugAt = batch.fingerprints('werkzeug_fingerabdruck');
  try {
    for (let index = 0; index < batch.events; index += 1) {
      // The stretch before is on its way to the database over this same thread: let its data move on.
      if (index % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) await setImmediate();
      if (known?.has(ids, index) || !part.ids.add(ids, index)) continue;
      const event = eventAt(index);
      writeEvent(stretch.eventData, part.mandantBytes, batch, index, event);
      fresh.push(event);
      places.push(index);
    }
  } catch (error) {
    stretch.eventData.rewind(before);
    part.ids.truncate(idsBefore);
    throw error;
  }
  for (let index = 0; index < fresh.length; index += 1) {
    const event = fresh[index] as CountedEvent;
    const place = places[index] as number;
    part.sums.add(event);
    part.runs.add(event);
    part.agents.add(event);
    part.span.add(event);
    if (event.lauf !== null)
      part.steps.add(event, event.lauf, idAt(place), promptAt(place), werkzeugAt(place));
  }
  part.repeats += batch.events - fresh.length;
  part.eingangIds.push(row.eingang_id);
}

const emptyPart = (mandant: string): Part => ({
  mandant,
  mandantBytes: uuidBytes(mandant),
  eingangIds: [],
  ids: new EventIds(),
  repeats: 0,
  sums: new Sums(Date.now()),
  runs: new Runs(),
  agents: new Agents(),
  span: new Span(),
  steps: new Steps(),
});

/** Makes a stretch of batches as long as there is room; one that throws is noted and left out. */
async function toStretch(batches: Batch[], known: KnownIds, eventData: CopyBuffer): Promise<Stretch> {
  const parts = new Map<string, Part>();
  const stretch: Stretch = {
    parts: [],
    eventData,
    unreadable: [],
    lastId: START,
    without(alsoKnown) {
      const taken = new Set(this.parts.flatMap(({ eingangIds }) => eingangIds));
      const readable = batches.filter(({ row }) => taken.has(row.eingang_id));
      return toStretch(readable, alsoKnown, new CopyBuffer(USUAL_BYTES));
    },
  };
  for (const batch of batches) {
    if (eventData.length > MAX_BYTES) break;
    const { mandant_id: mandant, eingang_id: eingangId } = batch.row;
    stretch.lastId = eingangId;
    const part = parts.get(mandant) ?? emptyPart(mandant);
    parts.set(mandant, part);
    try {
      await addBatch(stretch, part, known.get(mandant), batch);
    } catch (error) {
      stretch.unreadable.push({ mandant, eingangId, reason: String(error) });
    }
  }
  // Locks are taken in this order.
  stretch.parts = [...parts.values()].sort((a, b) => (a.mandant < b.mandant ? -1 : 1));
  return stretch;
}

/** What is known of a Mandant. */
type Known = Pick<Surroundings, 'localHour' | 'agentProjekte'>;

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

  const readMandanten = async (mandanten: string[]): Promise<Map<string, Known>> => {
    const [zone, chosen] = await Promise.all([
      db.query<{ mandant_id: string; zeitzone: string }>(
        'SELECT mandant_id, zeitzone FROM mandanten WHERE mandant_id = ANY($1::uuid[])',
        [mandanten],
      ),
      db.query<{ mandant_id: string; schluessel: string; projekt: string }>(
        'SELECT mandant_id, schluessel, projekt FROM agenten WHERE mandant_id = ANY($1::uuid[]) AND projekt_fest',
        [mandanten],
      ),
    ]);
    const zoneOf = new Map(zone.rows.map((row) => [row.mandant_id, row.zeitzone]));
    const chosenOf = Map.groupBy(chosen.rows, (row) => row.mandant_id);
    return new Map(
      mandanten.map((mandant) => [
        mandant,
        {
          localHour: localHours(zoneOf.get(mandant) ?? 'UTC'),
          agentProjekte: new Map(chosenOf.get(mandant)?.map((row) => [row.schluessel, row.projekt])),
        },
      ]),
    );
  };

  const read = async (select: string, values: unknown[]): Promise<Stretch | null> => {
    const { rows } = await db.query<InboxRow>(select, values);
    if (rows.length === 0) return null;
    const mandanten = [...new Set(rows.map((row) => row.mandant_id))];
    const [known, ratesNow] = await Promise.all([readMandanten(mandanten), currentRates()]);
    const batches = rows.map((row) => ({
      row,
      around: {
        ...(known.get(row.mandant_id) as Known),
        prices,
        rates: ratesNow,
        received: instantOf(row.empfangen_am),
        schluesselProjekt: row.projekt,
      },
    }));
    return toStretch(batches, new Map(), spare.pop() ?? new CopyBuffer(USUAL_BYTES));
  };

  return {
    next: (mandant, afterId, underWay) => read(NEXT_ROWS, [mandant, afterId, underWay]),
    several: (mandanten) => read(ROWS_OF_SEVERAL, [mandanten]),
    one: (mandant, eingangId) => read(ONE_ROW, [mandant, eingangId]),
    recycle({ eventData }) {
      if (spare.length >= MAX_SPARE || eventData.capacity > MAX_SPARE_BYTES) return;
      eventData.reset();
      spare.push(eventData);
    },
  };
}
