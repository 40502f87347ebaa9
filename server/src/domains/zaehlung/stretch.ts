/** A stretch of the inbox: batches turned into counted events, ready to be written. Nothing is written here. */
import { setImmediate } from 'node:timers/promises';
import {
  compress,
  type PackedBatch,
  packAgain,
  unpackBatch,
  type WaitingBatch,
} from '#domains/ereignisse/index.ts';
import { uuidBytes } from '#kernel/hex.ts';
import { CopyBuffer } from '#platform/database/copy/copy-buffer.ts';
import { MEMORY } from '#platform/memory.ts';
import { USUAL_ROW, writeEvent } from './copy-row.ts';
import { EventIds } from './event-ids.ts';
import { Imported } from './imported.ts';
import type { KeptChoice } from './kept-values.ts';
import { KeySums } from './key-sums.ts';
import { type CountedEvent, createNormaliser, type Surroundings } from './normalise.ts';
import { type Renewed, RenewedCalls } from './renewed.ts';
import { Reserved } from './reserved.ts';
import { type RetoldCall, retoldIn } from './retold.ts';
import { Agents, Runs, Span } from './runs.ts';
import { SourceSums } from './source-sums.ts';
import { Steps } from './steps.ts';
import { Sums } from './sums/sums.ts';

/** Smaller than every id. */
export const START = '00000000-0000-0000-0000-000000000000';

/**
 * … or this many bytes, packed or as rows: free data can make a single event megabytes, and memory is bounded. A text that
 * many events share stands once in a batch and in each of their rows.
 */
export const MAX_BYTES = MEMORY.stretchBytes;
/** After this many events the thread turns to whatever else waits for it. */
const EVENTS_AT_ONCE = 32;
/** Room for the rows of a small stretch; grown memory is kept for the next ones, up to a bound. */
export const USUAL_BYTES = 5_000 * USUAL_ROW;

/** What a stretch holds of one Mandant. Of the events only what is written is kept. */
export interface Part {
  mandant: string;
  /** The same, as it goes over the wire. */
  mandantBytes: Uint8Array;
  /** The edition of the price book that it was priced by. */
  fassung: number;
  /** Which values it has running sums of. */
  kept: KeptChoice;
  eingangIds: string[];
  /** Ids of the events; of equal ids within the stretch only the first. */
  ids: EventIds;
  /** How many repeats were left out. */
  repeats: number;
  sums: Sums;
  keys: KeySums;
  sources: SourceSums;
  runs: Runs;
  agents: Agents;
  span: Span;
  steps: Steps;
  /** What the events had reserved. */
  reserved: Reserved;
  /** Calls that were counted before and are told of anew. */
  renewed: Renewed[];
  /** Calls that may be told of in another way, too. */
  retold: RetoldCall[];
  /** The import that it is of, with its calls; null where programs have sent it. */
  imported: Imported | null;
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

/** Some events of a batch as a batch of their own: how many, their size unpacked, and their bytes as the inbox keeps them. */
export interface PackedPart {
  anzahl: number;
  umfang: number;
  daten: Buffer;
}

/** A batch that is counted in parts. */
export interface OpenBatch {
  /** Positions of its events, but for those that repeat the id of one before. */
  events: readonly number[];
  /** These events alone, as a stretch. Throws where one of them cannot be read. */
  only(events: readonly number[]): Promise<Stretch>;
  pack(events: readonly number[]): Promise<PackedPart>;
}

export interface InboxRow extends WaitingBatch {
  mandant_id: string;
  eingang_id: string;
  schluessel_id: string;
  projekt: string | null;
  /** Whether its events take the place of calls that were counted before. */
  aendert: boolean;
  /** The import that it is of. */
  import_id: string | null;
}

/** Whether a batch is counted apart from others: of two that tell of one call in a stretch the first would count, and nobody would know whose it is. */
const standsAlone = ({ aendert, import_id }: InboxRow): boolean => aendert || import_id !== null;

/** A batch with what its events are seen in. */
export interface Batch {
  row: InboxRow;
  around: Surroundings;
  /** Positions of the events that are meant; all unless given. */
  only?: ReadonlySet<number>;
}

/** Reads the prints of a call and of its tools; of one that is repeated on purpose there are none. */
function createPrints(batch: PackedBatch) {
  const promptAt = batch.fingerprints('prompt_fingerabdruck');
  const werkzeugAt = batch.fingerprints('werkzeug_fingerabdruck');
  return ({ gewollt }: CountedEvent, place: number): [bigint | null, bigint | null] =>
    gewollt ? [null, null] : [promptAt(place), werkzeugAt(place)];
}

/** Adds the events of one batch, but for those whose id is known. Throws before it changes anything. */
async function addBatch(
  stretch: Stretch,
  part: Part,
  known: EventIds | undefined,
  { row, around, only }: Batch,
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
  const noteReserved = part.reserved.of(batch);
  const printsOf = createPrints(batch);
  const renewed = new RenewedCalls(row.aendert ? batch : null);
  const isMeant = (index: number) => (!only || only.has(index)) && !renewed.note(index);
  try {
    for (let index = 0; index < batch.events; index += 1) {
      // The stretch before is on its way to the database over this same thread: let its data move on.
      if (index % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) await setImmediate();
      if (!isMeant(index) || known?.has(ids, index) || !part.ids.add(ids, index)) continue;
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
  const adders = [part.sums, part.keys, part.sources, part.runs, part.agents, part.span];
  for (let index = 0; index < fresh.length; index += 1) {
    const event = fresh[index] as CountedEvent;
    const place = places[index] as number;
    for (const adds of adders) adds.add(event);
    noteReserved(place);
    if (event.lauf !== null) part.steps.add(event, event.lauf, idAt(place), ...printsOf(event, place));
  }
  part.renewed.push(...renewed.found);
  part.retold.push(...retoldIn(batch));
  part.imported?.add(batch, fresh, places);
  part.repeats += (only?.size ?? batch.events) - fresh.length;
  part.eingangIds.push(row.eingang_id);
}

const emptyPart = (
  mandant: string,
  { fassung, kept }: Pick<Surroundings, 'fassung' | 'kept'>,
  importId: string | null,
): Part => ({
  mandant,
  mandantBytes: uuidBytes(mandant),
  fassung,
  kept,
  eingangIds: [],
  ids: new EventIds(),
  repeats: 0,
  sums: new Sums(Date.now(), kept.values),
  keys: new KeySums(),
  sources: new SourceSums(),
  runs: new Runs(),
  agents: new Agents(),
  span: new Span(),
  steps: new Steps(),
  reserved: new Reserved(),
  renewed: [],
  retold: [],
  imported: importId === null ? null : new Imported(importId),
});

/** What a stretch takes to be written: its events, the running sums that change with them, and the values they have. */
const workOf = (parts: Iterable<Part>): number => {
  let work = 0;
  for (const { ids, sums } of parts) work += ids.count + sums.work;
  return work;
};

/**
 * Makes a stretch of batches as long as there is room, and until it is as much work as `most`; one that throws is noted and left
 * out.
 */
export async function toStretch(
  batches: Batch[],
  known: KnownIds,
  eventData: CopyBuffer,
  most = Number.POSITIVE_INFINITY,
): Promise<Stretch> {
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
    if (eventData.length > MAX_BYTES || workOf(parts.values()) >= most) break;
    if (standsAlone(batch.row) && parts.size > 0) break;
    const { mandant_id: mandant, eingang_id: eingangId, import_id: importId } = batch.row;
    stretch.lastId = eingangId;
    const part = parts.get(mandant) ?? emptyPart(mandant, batch.around, importId);
    parts.set(mandant, part);
    try {
      await addBatch(stretch, part, known.get(mandant), batch);
    } catch (error) {
      stretch.unreadable.push({ mandant, eingangId, reason: String(error) });
    }
    if (standsAlone(batch.row)) break;
  }
  // Locks are taken in this order.
  stretch.parts = [...parts.values()].sort((a, b) => (a.mandant < b.mandant ? -1 : 1));
  return stretch;
}

export function openBatch(batch: Batch): OpenBatch {
  const { columns, events: count } = unpackBatch(batch.row);
  const ids = new EventIds();
  const idColumn = columns.of('ereignis_id');
  const events = Array.from({ length: count }, (_, position) => position);
  return {
    events: events.filter((position) => ids.add(idColumn, position)),
    async only(chosen) {
      const part = { ...batch, only: new Set(chosen) };
      const stretch = await toStretch([part], new Map(), new CopyBuffer(USUAL_BYTES));
      const [fault] = stretch.unreadable;
      if (fault) throw new Error(fault.reason);
      return stretch;
    },
    async pack(chosen) {
      const packed = packAgain(batch.row, new Set(chosen));
      return { anzahl: chosen.length, umfang: packed.length, daten: await compress(packed) };
    },
  };
}
