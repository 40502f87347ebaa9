/** Packs the events of a batch for the inbox, and unpacks what waits there. */
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import {
  constants,
  zstdCompress as zstdCompressAsync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import { UUID_BYTES, uuidBytes } from '#kernel/hex.ts';
import { microsOf, secondsOf } from '#kernel/microseconds.ts';
import {
  assemble,
  type BatchColumns,
  COUNTS,
  countLeftOut,
  type EventIn,
  FINGERPRINT_BYTES,
  FINGERPRINTS,
  FORMAT,
  GESCHAETZT,
  HAS_FINGERPRINT,
  HAS_PARENT,
  joinTexts,
  PackedBatch,
  type PackedTexts,
  TEXTS,
} from './packed-batch.ts';

/** Gives every distinct text a number, from 1. */
class Texts {
  readonly #numbers = new Map<string, number>();

  numberOf(text: string | null | undefined): number {
    if (text === null || text === undefined) return 0;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(text, number);
    return number;
  }

  toPacked(): PackedTexts {
    const pieces = [...this.#numbers.keys()].map((text) => Buffer.from(text));
    return joinTexts(pieces);
  }
}

function writeBytes(columns: BatchColumns, index: number, event: EventIn): void {
  let flags = event.geschaetzt ? GESCHAETZT : 0;
  columns.ereignis_id.set(uuidBytes(event.ereignis_id ?? randomUUID()), UUID_BYTES * index);
  if (event.eltern_span) {
    flags |= HAS_PARENT;
    columns.eltern_span.set(uuidBytes(event.eltern_span), UUID_BYTES * index);
  }
  for (const [bit, name] of FINGERPRINTS.entries()) {
    const print = event[name];
    if (!print) continue;
    flags |= HAS_FINGERPRINT << bit;
    columns.fingerprints[name].set(Buffer.from(print, 'hex'), FINGERPRINT_BYTES * index);
  }
  columns.flags[index] = flags;
}

function writeEvent(columns: BatchColumns, texts: Texts, index: number, event: EventIn, receivedAt: string) {
  const zeitpunkt = event.zeitpunkt ?? receivedAt;
  columns.seconds[index] = secondsOf(zeitpunkt);
  columns.micros[index] = microsOf(zeitpunkt);
  for (const name of COUNTS) {
    const count = event[name];
    columns.counts[name][index] = count ?? (count === null ? Number.NaN : countLeftOut(name));
  }
  for (const name of TEXTS) columns.texts[name][index] = texts.numberOf(event[name]);
  columns.texts.zusatz[index] = texts.numberOf(event.zusatz ? JSON.stringify(event.zusatz) : null);
  writeBytes(columns, index, event);
}

/**
 * Packs checked events; one without an id gets one here, one without a time that of its receipt (ISO 8601 in UTC). The
 * result is not compressed yet.
 */
export const packBatch = (events: readonly EventIn[], receivedAt: string): Buffer =>
  assemble(events.length, (columns) => {
    const texts = new Texts();
    for (const [index, event] of events.entries()) writeEvent(columns, texts, index, event, receivedAt);
    return texts.toPacked();
  });

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

/** The first bytes of whatever zstd has compressed; a packed batch begins with another one. */
const ZSTD_MAGIC = 0xfd2fb528;
const isCompressed = (daten: Buffer) => daten.length >= 4 && daten.readUInt32LE() === ZSTD_MAGIC;

/** A little more than is needed, so that unpacking sees the end in the first piece. */
const UNPACK_ROOM = 64;

/** What is kept of a batch in the inbox. */
export interface WaitingBatch {
  /** ISO 8601 in UTC. */
  empfangen_am: string;
  /** Bytes, unpacked. */
  umfang: number;
  daten: Buffer;
}

/** Unpacks a waiting batch; earlier versions left them as JSON. Throws on bytes that are no batch. */
export function unpackBatch({ daten, umfang, empfangen_am: receivedAt }: WaitingBatch): PackedBatch {
  const bytes = isCompressed(daten) ? zstdDecompressSync(daten, { chunkSize: umfang + UNPACK_ROOM }) : daten;
  if (bytes[0] === FORMAT) return new PackedBatch(bytes);
  // TextDecoder skips a byte-order mark, which JSON.parse would refuse.
  const { ereignisse } = JSON.parse(new TextDecoder().decode(bytes)) as { ereignisse?: EventIn[] };
  return new PackedBatch(packBatch(ereignisse ?? [], receivedAt));
}
