/** Reads batches that wait in the inbox. */
import { zstdDecompressSync } from 'node:zlib';
import {
  type EventField,
  type NeverNull,
  SENT_FIELDS,
  type SentFields,
  type SentName,
  type SentNameOf,
  standsForNothing,
} from '#contracts';
import { UUID_BYTES, uuidText } from '#kernel/hex.ts';
import { isoOf } from '#kernel/microseconds.ts';
import {
  type AnyValues,
  BatchColumns,
  BITS,
  carve,
  columnsOf,
  DESCRIPTION,
  FINGERPRINT_BYTES,
  FORMAT,
  HEAD,
  INT,
  type Instants,
  type Kind,
  type Layout,
  layoutOf,
  OWN_LAYOUT,
  sizeOf,
  startOf,
} from './format.ts';
import { type EventIn, packBatch } from './write.ts';

/** The parts of a batch. */
interface Parts {
  /** Begins at a multiple of 8. */
  bytes: Uint8Array;
  events: number;
  layout: Layout;
  /** Where the columns begin. */
  start: number;
  /** Text number `n`, from 0, goes from `ends[n]` to `ends[n + 1]`. */
  ends: Uint32Array;
  textBytes: Buffer;
}

const broken = () => new RangeError('not a packed batch');

const layoutIn = (description: Buffer): Layout =>
  DESCRIPTION.equals(description) ? OWN_LAYOUT : layoutOf(columnsOf(description.toString()));

/** Throws RangeError on what is no batch, and on a form or a kind of column that this version does not know. */
function partsOf(sent: Uint8Array): Parts {
  if (sent.length < HEAD) throw broken();
  const bytes = sent.byteOffset % 8 === 0 ? sent : new Uint8Array(sent);
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD / INT);
  const [format = 0, events = 0, texts = 0, described = 0] = head;
  if (format !== FORMAT) throw new RangeError(`an unknown packed form: ${format}`);
  const start = startOf(described);
  if (start > bytes.length) throw broken();
  const layout = layoutIn(Buffer.from(bytes.buffer, bytes.byteOffset + HEAD, described));
  const endsAt = start + sizeOf(layout, events);
  const textsAt = endsAt + INT * (texts + 1);
  // The memory goes on behind the bytes, with whatever was there before.
  if (textsAt > bytes.length) throw broken();
  const ends = new Uint32Array(bytes.buffer, bytes.byteOffset + endsAt, texts + 1);
  const textBytes = Buffer.from(bytes.buffer, bytes.byteOffset + textsAt, bytes.length - textsAt);
  if (ends[texts] !== textBytes.length) throw broken();
  return { bytes, events, layout, start, ends, textBytes };
}

function readValue(kind: Kind, values: AnyValues, index: number, text: (number: number) => string): unknown {
  if (kind === 'instant') {
    const { seconds, micros } = values as Instants;
    return isoOf({ seconds: seconds[index] as number, micros: micros[index] as number });
  }
  const bytes = values as Buffer;
  if (kind === 'uuid') return uuidText(bytes, UUID_BYTES * index);
  if (kind === 'fingerprint')
    return bytes.toString('hex', FINGERPRINT_BYTES * index, FINGERPRINT_BYTES * (index + 1));
  const value = (values as Float64Array | Uint32Array | Buffer)[index] as number;
  if (kind === 'count') return value;
  if (kind === 'flag') return value !== 0;
  return kind === 'text' ? text(value) : JSON.parse(text(value));
}

/** The events with the columns the batch says it has, whichever version packed it; null is what an event does not have. */
function* recordsOf({ bytes, events, layout, start, ends, textBytes }: Parts) {
  const { values, present } = carve(layout, bytes, start, events);
  const text = (number: number) => textBytes.toString('utf8', ends[number], ends[number + 1]);
  for (let index = 0; index < events; index += 1) {
    const fields = layout.columns.map(({ name, kind }, position) => {
      const isThere = ((present[index] as number) & (1 << position)) !== 0;
      return [name, isThere ? readValue(kind, values[position] as AnyValues, index, text) : null] as const;
    });
    yield Object.fromEntries(fields);
  }
}

function isSameUuid(bytes: Buffer, one: number, other: number): boolean {
  const from = UUID_BYTES * one;
  const distance = UUID_BYTES * (other - one);
  for (let at = from; at < from + UUID_BYTES; at += 1) if (bytes[at] !== bytes[at + distance]) return false;
  return true;
}

/** What a text of a counted event is. */
type CountedText<Name extends SentName> = SentFields[Name] extends NeverNull ? string : string | null;

/** A batch with the columns of this version, ready to be counted. */
export class PackedBatch {
  readonly events: number;
  readonly columns: BatchColumns;
  readonly textBytes: Buffer;
  /** Text number `n`, from 0, goes from `ends[n]` to `ends[n + 1]` of `textBytes`. */
  readonly ends: Uint32Array;
  readonly #texts: (string | undefined)[] = [];

  constructor({ bytes, start, events, ends, textBytes }: Parts) {
    this.events = events;
    this.columns = new BatchColumns(bytes, start, events);
    this.ends = ends;
    this.textBytes = textBytes;
  }

  /** A text by its number, from 0. */
  text(number: number): string {
    const known = this.#texts[number];
    if (known !== undefined) return known;
    const text = this.textBytes.toString('utf8', this.ends[number], this.ends[number + 1]);
    this.#texts[number] = text;
    return text;
  }

  // What follows makes a reader of one column each: called for every event, it looks up nothing and calls nothing else.

  /** Reads the counts of a column; null where there is none. */
  counts(name: SentNameOf<'count'>): (index: number) => number | null {
    const { present } = this.columns;
    const bit = BITS[name];
    const counts = this.columns.of(name);
    return (index) => (((present[index] as number) & bit) === 0 ? null : (counts[index] as number));
  }

  /** Reads the UUIDs of a column as texts; null where there is none. Neighbours often have the same: it is made once. */
  uuids(name: SentNameOf<'uuid'>): (index: number) => string | null {
    const { present } = this.columns;
    const bit = BITS[name];
    const bytes = this.columns.of(name);
    let last = -1;
    let text = '';
    return (index) => {
      if (((present[index] as number) & bit) === 0) return null;
      if (last < 0 || !isSameUuid(bytes, last, index)) text = uuidText(bytes, UUID_BYTES * index);
      last = index;
      return text;
    };
  }

  /** Reads the ids of the events as two numbers of 64 bits. */
  idHalves(): (index: number) => readonly [high: bigint, low: bigint] {
    const bytes = this.columns.of('ereignis_id');
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return (index) => [view.getBigUint64(UUID_BYTES * index), view.getBigUint64(UUID_BYTES * index + 8)];
  }

  /** Reads the fingerprints of a column as numbers of 64 bits; null where there is none. */
  fingerprints(name: SentNameOf<'fingerprint'>): (index: number) => bigint | null {
    const { present } = this.columns;
    const bit = BITS[name];
    const bytes = this.columns.of(name);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return (index) =>
      ((present[index] as number) & bit) === 0 ? null : view.getBigUint64(FINGERPRINT_BYTES * index);
  }

  /** Reads the numbers of a column's texts, from 0; -1 where there is none. */
  numbers(name: SentNameOf<'text' | 'object'>): (index: number) => number {
    const { present } = this.columns;
    const bit = BITS[name];
    const numbers = this.columns.of(name);
    return (index) => (((present[index] as number) & bit) === 0 ? -1 : (numbers[index] as number));
  }

  /** Reads the texts of a column as they are counted: where nothing was said, that which stands for it. */
  texts<Name extends SentNameOf<'text'>>(name: Name): (index: number) => CountedText<Name> {
    const field: EventField = SENT_FIELDS[name];
    const emptyIsNothing = field.emptyIsNothing === true;
    const nothing = standsForNothing(field) as CountedText<Name>;
    const { present } = this.columns;
    const bit = BITS[name];
    const numbers: Uint32Array = this.columns.of(name);
    const texts = this.#texts;
    return (index) => {
      if (((present[index] as number) & bit) === 0) return nothing;
      const number = numbers[index] as number;
      const text = texts[number] ?? this.text(number);
      return emptyIsNothing && text === '' ? nothing : (text as CountedText<Name>);
    };
  }
}

/** Reads a batch, unpacked; one of another version is brought into the columns of this one. Throws RangeError on others. */
export function readBatch(bytes: Uint8Array, receivedAt: string): PackedBatch {
  const parts = partsOf(bytes);
  if (parts.layout === OWN_LAYOUT) return new PackedBatch(parts);
  // What this version does not know of an event it leaves out, as it does at the door.
  return new PackedBatch(partsOf(packBatch([...recordsOf(parts)], receivedAt)));
}

/** What is kept of a batch in the inbox. */
export interface WaitingBatch {
  /** ISO 8601 in UTC. */
  empfangen_am: string;
  /** Bytes, unpacked. */
  umfang: number;
  daten: Buffer;
}

/** A little more than is needed, so that unpacking sees the end in the first piece; what is damaged may not become more. */
const UNPACK_ROOM = 64;

/** The first bytes of whatever zstd has compressed; a packed batch begins with others. */
const ZSTD_MAGIC = 0xfd2fb528;
const isCompressed = (daten: Buffer) => daten.length >= INT && daten.readUInt32LE() === ZSTD_MAGIC;

function decompress({ daten, umfang }: WaitingBatch): Buffer {
  if (!isCompressed(daten)) return daten;
  const most = umfang + UNPACK_ROOM;
  return zstdDecompressSync(daten, { chunkSize: most, maxOutputLength: most });
}

/** Unpacks a waiting batch. Throws on bytes that are no batch. */
export const unpackBatch = (waiting: WaitingBatch): PackedBatch =>
  readBatch(decompress(waiting), waiting.empfangen_am);

const hasValue = ([, value]: [string, unknown]) => value !== null;

/** The events of a batch, unpacked, as they were sent, with what was assigned at the door; what is null is left out. */
export function* eventsIn(bytes: Uint8Array): Generator<EventIn, void> {
  for (const record of recordsOf(partsOf(bytes)))
    yield Object.fromEntries(Object.entries(record).filter(hasValue));
}

/** The events of a waiting batch, likewise. */
export const waitingEvents = (waiting: WaitingBatch): Generator<EventIn, void> =>
  eventsIn(decompress(waiting));

/** Some events of a waiting batch, by their positions, packed as a batch of their own; not compressed yet. Throws as `unpackBatch`. */
export function packAgain(waiting: WaitingBatch, positions: ReadonlySet<number>): Buffer {
  const records = [...recordsOf(partsOf(decompress(waiting)))];
  return packBatch(
    records.filter((_, position) => positions.has(position)),
    waiting.empfangen_am,
  );
}
