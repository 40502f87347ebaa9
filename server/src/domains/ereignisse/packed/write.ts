/** Packs the events of a batch for the inbox. */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress as zstdCompressAsync, zstdCompressSync } from 'node:zlib';
import { type EreignisEingang, type SentName, type Static, sentNames } from '#contracts';
import { UUID_BYTES, uuidBytes } from '#kernel/hex.ts';
import { instantOf } from '#kernel/microseconds.ts';
import { DICTIONARY } from './dictionary.ts';
import {
  BatchColumns,
  BITS,
  DESCRIPTION,
  FINGERPRINT_BYTES,
  FORMAT,
  HEAD,
  OWN_LAYOUT,
  OWN_START,
  sizeOf,
  ZERO_WHEN_LEFT_OUT,
} from './format.ts';

export type EventIn = Static<typeof EreignisEingang>;

/** The texts of a batch: number `n`, from 0, goes from `ends[n]` to `ends[n + 1]`. */
export interface PackedTexts {
  ends: Uint32Array;
  bytes: Buffer;
}

/** Puts texts one behind the other. */
export function joinTexts(pieces: readonly Uint8Array[]): PackedTexts {
  const ends = new Uint32Array(pieces.length + 1);
  for (const [index, piece] of pieces.entries()) ends[index + 1] = (ends[index] as number) + piece.length;
  return { ends, bytes: Buffer.concat(pieces) };
}

/** A whole batch in its packed form: head, description, columns, where each of the texts ends, and the texts. */
export function assemble(events: number, fill: (columns: BatchColumns) => PackedTexts): Buffer {
  const bytes = new Uint8Array(OWN_START + sizeOf(OWN_LAYOUT, events));
  const { ends, bytes: texts } = fill(new BatchColumns(bytes, OWN_START, events));
  new Uint32Array(bytes.buffer, 0, HEAD / 4).set([FORMAT, events, ends.length - 1, DESCRIPTION.length]);
  bytes.set(DESCRIPTION, HEAD);
  return Buffer.concat([bytes, new Uint8Array(ends.buffer), texts]);
}

/** Gives every distinct text a number, from 0. */
class StringDictionary {
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  toPacked(): PackedTexts {
    return joinTexts([...this.#numbers.keys()].map((text) => Buffer.from(text)));
  }
}

const INSTANTS = sentNames('instant');
const COUNTS = sentNames('count');
const TEXTS = sentNames('text');
const OBJECTS = sentNames('object');
const UUIDS = sentNames('uuid');
const FINGERPRINTS = sentNames('fingerprint');
const FLAGS = sentNames('flag');

/** Writes one event after the other into columns that hold nothing yet. */
class EventWriter {
  readonly #columns: BatchColumns;
  readonly #texts = new StringDictionary();
  readonly #assigned: { readonly [Name in SentName]?: () => string };

  constructor(columns: BatchColumns, receivedAt: string) {
    this.#columns = columns;
    this.#assigned = { ereignis_id: randomUUID, zeitpunkt: () => receivedAt };
  }

  write(event: EventIn, index: number): void {
    const columns = this.#columns;
    const texts = this.#texts;
    columns.present[index] =
      this.#each(event, INSTANTS, (name, value) => {
        const { seconds, micros } = instantOf(value);
        columns.of(name).seconds[index] = seconds;
        columns.of(name).micros[index] = micros;
      }) |
      this.#each(event, COUNTS, (name, value) => {
        columns.of(name)[index] = value;
      }) |
      this.#each(event, TEXTS, (name, value) => {
        columns.of(name)[index] = texts.numberOf(value);
      }) |
      this.#each(event, OBJECTS, (name, value) => {
        columns.of(name)[index] = texts.numberOf(JSON.stringify(value));
      }) |
      this.#each(event, UUIDS, (name, value) => {
        columns.of(name).set(uuidBytes(value), UUID_BYTES * index);
      }) |
      this.#each(event, FINGERPRINTS, (name, value) => {
        columns.of(name).set(Buffer.from(value, 'hex'), FINGERPRINT_BYTES * index);
      }) |
      this.#each(event, FLAGS, (name, value) => {
        columns.of(name)[index] = value ? 1 : 0;
      });
  }

  /** Puts what the event has of these fields; answers the bits of those that are there. */
  #each<Name extends SentName>(
    event: EventIn,
    names: readonly Name[],
    put: (name: Name, value: NonNullable<EventIn[Name]>) => void,
  ): number {
    let present = 0;
    for (const name of names) {
      const value = event[name] ?? this.#assigned[name]?.();
      if (value !== null && value !== undefined) {
        put(name, value as NonNullable<EventIn[Name]>);
        present |= BITS[name];
      } else if (event[name] === undefined) present |= BITS[name] & ZERO_WHEN_LEFT_OUT;
    }
    return present;
  }

  toPacked(): PackedTexts {
    return this.#texts.toPacked();
  }
}

/**
 * Packs checked events; one without an id gets one here, one without a time that of its receipt (ISO 8601 in UTC). The
 * result is not compressed yet.
 */
export const packBatch = (events: readonly EventIn[], receivedAt: string): Buffer =>
  assemble(events.length, (columns) => {
    const writer = new EventWriter(columns, receivedAt);
    for (const [index, event] of events.entries()) writer.write(event, index);
    return writer.toPacked();
  });

const COMPRESSION = {
  dictionary: DICTIONARY,
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
};
/** Below this size compressing on the spot is faster than handing the bytes to another thread. */
const COMPRESS_INLINE = 256 * 1024;
const zstdCompress = promisify(zstdCompressAsync);

/** Smaller batches of a few events gain less by compression than it costs to begin with one. */
const COMPRESS_FROM = 2 * 1024;

/** The bytes the inbox keeps: compressed, unless there are few of them. */
export async function compress(packed: Buffer): Promise<Buffer> {
  if (packed.length < COMPRESS_FROM) return packed;
  return packed.length <= COMPRESS_INLINE
    ? zstdCompressSync(packed, COMPRESSION)
    : zstdCompress(packed, COMPRESSION);
}
