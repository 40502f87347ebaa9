/**
 * The bytes of a piece: version, how it is compressed, then its rows by column. A column is its number, the bytes of a value (and 128
 * where the least one is negative), the least value without its sign (7 bits a byte), and of each value how much it is more, the lowest
 * byte first; values of 8 bytes stand as they are, in two's complement. One that is 0 throughout is left out.
 */
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { createBreath } from './breath.ts';
import { COLUMN_NUMBERS, type PieceColumn } from './columns.ts';

const VERSION = 1;
const PLAIN = 0;
const ZSTD = 1;
const HEADER = 2;
/** Below it compressing costs more than it saves. */
const COMPRESSED_FROM = 400;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** No piece has more: what says so is broken, and is not unpacked. */
const MOST_BYTES = 256 * 1024 * 1024;
const WIDTHS = [0, 1, 2, 4, 8] as const;
/** Bytes of the longest head of a column. */
const COLUMN_HEAD = 12;
const INT32 = 2 ** 32;
/** Beside the width of a column whose least value is below 0. */
const NEGATIVE = 0x80;

/** The values of a column; rows behind its end have 0. */
export type Values = ArrayLike<number>;

const widthOf = (range: number): (typeof WIDTHS)[number] =>
  range === 0 ? 0 : range < 2 ** 8 ? 1 : range < 2 ** 16 ? 2 : range < INT32 ? 4 : 8;

function write64(bytes: Buffer, value: number, at: number): void {
  const high = Math.floor(value / INT32);
  bytes.writeUInt32LE(value - high * INT32, at);
  bytes.writeInt32LE(high, at + 4);
}

class Writer {
  #bytes: Buffer;
  #length = 0;

  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafe(bytes);
  }

  /** 7 bits a byte, the lowest first; whole, from 0 to 2^53. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  column(number: number, values: Values, count: number): void {
    let least = values[0] ?? 0;
    let most = least;
    for (let row = 1; row < count; row += 1) {
      const value = values[row] ?? 0;
      if (value < least) least = value;
      else if (value > most) most = value;
    }
    if (least === 0 && most === 0) return;
    const width = widthOf(most - least);
    // What lies further apart than 2^53 has no difference that a number holds.
    const base = width === 8 ? 0 : least;
    this.#bytes[this.#length++] = number;
    this.#bytes[this.#length++] = base < 0 ? width + NEGATIVE : width;
    this.varint(Math.abs(base));
    this.#values(values, count, base, width);
  }

  #values(values: Values, count: number, least: number, width: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    if (width === 0) return;
    for (let row = 0; row < count; row += 1) {
      const value = (values[row] ?? 0) - least;
      if (width === 1) bytes[at] = value;
      else if (width === 2) bytes.writeUInt16LE(value, at);
      else if (width === 4) bytes.writeUInt32LE(value, at);
      else write64(bytes, value, at);
      at += width;
    }
    this.#length = at;
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** What was written, by itself; the next is written in its room. */
  take(): Buffer {
    const taken = Buffer.from(this.finish());
    this.#length = 0;
    return taken;
  }
}

const compress = promisify(zstdCompress);
const isLong = (body: Buffer): boolean => body.length >= COMPRESSED_FROM;
const headOf = (body: Buffer): Buffer => Buffer.of(VERSION, isLong(body) ? ZSTD : PLAIN);

/** Packs the first `count` rows of these columns: whole numbers up to 2^53, those that are not wide up to 2^31. */
export function packPiece(columns: ReadonlyMap<PieceColumn, Values>, count: number): Buffer {
  const out = new Writer(COLUMN_HEAD + columns.size * (COLUMN_HEAD + 8 * count));
  out.varint(count);
  for (const [name, values] of columns) out.column(COLUMN_NUMBERS.get(name) as number, values, count);
  const body = out.finish();
  return Buffer.concat([headOf(body), isLong(body) ? zstdCompressSync(body, LEVEL) : body]);
}

/** Packs many rows column by column, as they come; the thread turns to others between two of them. */
export async function packColumns(
  columns: Iterable<readonly [PieceColumn, Float64Array]>,
  count: number,
): Promise<Buffer> {
  const out = new Writer(COLUMN_HEAD + 8 * count);
  out.varint(count);
  const written = [out.take()];
  const breath = createBreath();
  for (const [name, values] of columns) {
    out.column(COLUMN_NUMBERS.get(name) as number, values, count);
    written.push(out.take());
    await breath();
  }
  const body = Buffer.concat(written);
  return Buffer.concat([headOf(body), isLong(body) ? await compress(body, LEVEL) : body]);
}

const NAMES = new Map([...COLUMN_NUMBERS].map(([name, number]) => [number, name]));

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get hasMore(): boolean {
    return this.#at < this.#bytes.length;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte();
      value += (byte % 0x80) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** Values of `width` bytes, each `least` and more; passed over where there is no room for them. */
  values(out: ColumnRoom | null, count: number, least: number, width: number): void {
    const [from, end] = [this.#at, this.#at + count * width];
    this.#at = end;
    if (end > this.#bytes.length) throw new Error('a piece ends before its rows');
    if (width === 0) out?.fill(least);
    else if (out) addValues(out, least, width, this.#bytes.subarray(from, end));
  }
}

/** The lowest byte comes first in memory, too, wherever this runs. */
function addValues(out: ColumnRoom, least: number, width: number, packed: Uint8Array): void {
  // A copy begins where numbers of any width may.
  const { buffer } = new Uint8Array(packed);
  if (width === 8) {
    const halves = new Int32Array(buffer);
    for (let row = 0; row < out.length; row += 1)
      out[row] = ((halves[2 * row] as number) >>> 0) + INT32 * (halves[2 * row + 1] as number);
    return;
  }
  const more =
    width === 1 ? new Uint8Array(buffer) : width === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
  for (let row = 0; row < out.length; row += 1) out[row] = least + (more[row] as number);
}

/** Where the values of a column go: those that are not wide have room in 32 bits. */
export type ColumnRoom = Float64Array | Int32Array;

/**
 * Reads a packed piece into arrays that `room` has for the rows of a column, null for one that is not wanted; of one that is 0 throughout it
 * is not asked. Returns how many rows there are. Throws where it is no piece.
 */
export function readPiece(
  piece: Uint8Array,
  room: (column: PieceColumn, count: number) => ColumnRoom | null,
): number {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  if (bytes[0] !== VERSION) throw new Error(`a piece has version ${bytes[0]}`);
  const body = bytes.subarray(HEADER);
  const reader = new Reader(
    bytes[1] === ZSTD ? zstdDecompressSync(body, { maxOutputLength: MOST_BYTES }) : body,
  );
  const count = reader.varint();
  while (reader.hasMore) {
    const number = reader.byte();
    const width = reader.byte();
    const least = reader.varint();
    const name = NAMES.get(number);
    if (!name) throw new Error(`a piece has a column ${number}`);
    reader.values(room(name, count), count, width < NEGATIVE ? least : -least, width % NEGATIVE);
  }
  return count;
}
