/** Packs the events of a batch for the inbox. */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress as zstdCompressAsync, zstdCompressSync } from 'node:zlib';
import { type EreignisEingang, type SentName, type Static, sentNames } from '#contracts';
import { UUID_BYTES, uuidBytes } from '#kernel/hex.ts';
import { microsOf, secondsOf } from '#kernel/microseconds.ts';
import {
  type BatchColumns,
  BITS,
  type Columns,
  copyColumns,
  createColumns,
  DESCRIPTION,
  FINGERPRINT_BYTES,
  FORMAT,
  HEAD,
  OWN_LAYOUT,
  OWN_START,
  type Room,
  sizeOf,
  ZERO_WHEN_LEFT_OUT,
} from './format.ts';

export type EventIn = Static<typeof EreignisEingang>;

/** The texts of a batch: number `n`, from 0, goes from `ends[n]` to `ends[n + 1]`. */
export interface PackedTexts {
  ends: Uint32Array;
  /** Writes them one behind the other. */
  copyTo(target: Buffer, start: number): void;
}

/**
 * A whole batch in its packed form: head, description, columns, where each of the texts ends, and the texts. `columns` has
 * room for as many events or more.
 */
export function assemble(events: number, columns: Room, texts: PackedTexts): Buffer {
  const { ends } = texts;
  const afterColumns = OWN_START + sizeOf(OWN_LAYOUT, events);
  const afterEnds = afterColumns + ends.byteLength;
  const bytes = Buffer.alloc(afterEnds + (ends.at(-1) as number));
  new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD / 4).set([
    FORMAT,
    events,
    ends.length - 1,
    DESCRIPTION.length,
  ]);
  bytes.set(DESCRIPTION, HEAD);
  copyColumns(columns, { bytes, events }, events, OWN_START);
  bytes.set(new Uint8Array(ends.buffer), afterColumns);
  texts.copyTo(bytes, afterEnds);
  return bytes;
}

/** Gives every distinct text a number, from 0. */
interface TextNumbers {
  numberOf(text: string): number;
}

class StringDictionary implements TextNumbers {
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  toPacked(): PackedTexts {
    const pieces = [...this.#numbers.keys()].map((text) => Buffer.from(text));
    const ends = new Uint32Array(pieces.length + 1);
    for (const [index, piece] of pieces.entries()) ends[index + 1] = (ends[index] as number) + piece.length;
    return { ends, copyTo: (target, start) => Buffer.concat(pieces).copy(target, start) };
  }
}

const INSTANTS = sentNames('instant');
const COUNTS = sentNames('count');
const TEXTS = sentNames('text');
const OBJECTS = sentNames('object');
const UUIDS = sentNames('uuid');
const FINGERPRINTS = sentNames('fingerprint');
const FLAGS = sentNames('flag');

/** Puts a value into its column. */
type Put<Name extends SentName> = (
  column: Columns[Name],
  index: number,
  value: NonNullable<EventIn[Name]>,
) => void;

interface Field {
  bit: number;
  put(index: number, value: unknown): void;
}

/** Makes the fields of an event by their names, writing into columns that hold nothing yet. */
function createFields(columns: BatchColumns, texts: TextNumbers): Map<string, Field> {
  const fields = new Map<string, Field>();
  const add = <Name extends SentName>(names: readonly Name[], put: Put<Name>): void => {
    for (const name of names) {
      const column = columns.of(name);
      const bit = BITS[name];
      fields.set(name, {
        bit,
        put: (index, value) => put(column, index, value as NonNullable<EventIn[Name]>),
      });
    }
  };
  add(INSTANTS, ({ seconds, micros }, index, value) => {
    seconds[index] = secondsOf(value);
    micros[index] = microsOf(value);
  });
  add(COUNTS, (column, index, value) => {
    column[index] = value;
  });
  add(TEXTS, (column, index, value) => {
    column[index] = texts.numberOf(value);
  });
  add(OBJECTS, (column, index, value) => {
    column[index] = texts.numberOf(JSON.stringify(value));
  });
  add(UUIDS, (column, index, value) => {
    column.set(uuidBytes(value), UUID_BYTES * index);
  });
  add(FINGERPRINTS, (column, index, value) => {
    column.write(value, FINGERPRINT_BYTES * index, 'hex');
  });
  add(FLAGS, (column, index, value) => {
    column[index] = value ? 1 : 0;
  });
  return fields;
}

/** Writes what an event has; answers the bits of it. Fields it names beyond those known are left out. */
function writeFields(fields: Map<string, Field>, event: EventIn, index: number): number {
  let named = 0;
  let present = 0;
  for (const name in event) {
    const field = fields.get(name);
    const value = event[name as SentName];
    if (!field || value === undefined) continue;
    named |= field.bit;
    if (value === null) continue;
    field.put(index, value);
    present |= field.bit;
  }
  return present | (ZERO_WHEN_LEFT_OUT & ~named);
}

/** Puts a checked event at its place in the columns, which holds nothing yet. */
type WriteEvent = (event: EventIn, index: number) => void;

/** An event without an id gets one here, one without a time that of its receipt (ISO 8601 in UTC). */
export function createWriter(columns: BatchColumns, texts: TextNumbers, receivedAt: string): WriteEvent {
  const fields = createFields(columns, texts);
  const fill = (name: 'ereignis_id' | 'zeitpunkt', index: number, value: string) => {
    fields.get(name)?.put(index, value);
    return BITS[name];
  };
  return (event, index) => {
    let present = writeFields(fields, event, index);
    if ((present & BITS.ereignis_id) === 0) present |= fill('ereignis_id', index, randomUUID());
    if ((present & BITS.zeitpunkt) === 0) present |= fill('zeitpunkt', index, receivedAt);
    columns.present[index] = present;
  };
}

/** Packs checked events. The result is not compressed yet. */
export const packBatch = (events: readonly EventIn[], receivedAt: string): Buffer => {
  const columns = createColumns(events.length);
  const texts = new StringDictionary();
  const write = createWriter(columns, texts, receivedAt);
  for (const [index, event] of events.entries()) write(event, index);
  return assemble(events.length, { bytes: columns.bytes, events: events.length }, texts.toPacked());
};

/** Smaller batches of a few events gain less by compression than it costs to begin with one. */
const COMPRESS_FROM = 2 * 1024;
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** Below this size compressing on the spot is faster than handing the bytes to another thread. */
const COMPRESS_INLINE = 256 * 1024;
const zstdCompress = promisify(zstdCompressAsync);

/** The bytes the inbox keeps: compressed, unless there are few of them. */
export async function compress(packed: Buffer): Promise<Buffer> {
  if (packed.length < COMPRESS_FROM) return packed;
  return packed.length <= COMPRESS_INLINE
    ? zstdCompressSync(packed, COMPRESSION)
    : zstdCompress(packed, COMPRESSION);
}
