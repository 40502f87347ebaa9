/**
 * The bytes of a piece: version, how it is compressed, then its rows by column. A column is its number, the bytes of a value (and 128
 * where the least one is negative), the least value without its sign (7 bits a byte), and of each value how much it is more, the lowest
 * byte first; values of 8 bytes stand as they are, in two's complement. One that is 0 throughout is left out.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { COLUMN_NUMBERS, isWide, type PieceColumn } from './columns.ts';

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

/** The rows of a piece by column; columns that are 0 throughout are not there. */
export interface PieceColumns {
  count: number;
  /** Those that may go beyond 32 bits as `BigInt64Array`. */
  columns: Map<PieceColumn, Int32Array | BigInt64Array>;
}

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

  column(number: number, values: Float64Array, count: number): void {
    let least = values[0] as number;
    let most = least;
    for (let row = 1; row < count; row += 1) {
      const value = values[row] as number;
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

  #values(values: Float64Array, count: number, least: number, width: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    if (width === 0) return;
    for (let row = 0; row < count; row += 1) {
      const value = (values[row] as number) - least;
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
}

/** Packs the first `count` rows of these columns: whole numbers up to 2^53, those that are not wide up to 2^31. */
export function packPiece(columns: ReadonlyMap<PieceColumn, Float64Array>, count: number): Buffer {
  const out = new Writer(COLUMN_HEAD + columns.size * (COLUMN_HEAD + 8 * count));
  out.varint(count);
  for (const [name, values] of columns) out.column(COLUMN_NUMBERS.get(name) as number, values, count);
  const body = out.finish();
  const isLong = body.length >= COMPRESSED_FROM;
  return Buffer.concat([
    Buffer.of(VERSION, isLong ? ZSTD : PLAIN),
    isLong ? zstdCompressSync(body, LEVEL) : body,
  ]);
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

  /** Values of so many bytes, each `least` and more. */
  values(count: number, least: number, width: number): Float64Array {
    const bytes = this.#bytes;
    let at = this.#at;
    this.#at += count * width;
    if (this.#at > bytes.length) throw new Error('a piece ends before its rows');
    const out = new Float64Array(count).fill(least);
    if (width === 0) return out;
    for (let row = 0; row < count; row += 1) {
      out[row] = least + this.#value(at, width);
      at += width;
    }
    return out;
  }

  #value(at: number, width: number): number {
    const bytes = this.#bytes;
    if (width === 1) return bytes[at] as number;
    if (width === 2) return bytes.readUInt16LE(at);
    const low = bytes.readUInt32LE(at);
    return width === 4 ? low : low + INT32 * bytes.readInt32LE(at + 4);
  }
}

/** Written as halves of 32 bits: a BigInt for each value would take ten times as long. */
function wide(values: Float64Array): BigInt64Array {
  const out = new BigInt64Array(values.length);
  const halves = new Int32Array(out.buffer);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    const high = Math.floor(value / INT32);
    halves[2 * row] = value - high * INT32;
    halves[2 * row + 1] = high;
  }
  return out;
}

/** The rows of a packed piece. Throws where it is none. */
export function unpackPiece(piece: Uint8Array): PieceColumns {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  if (bytes[0] !== VERSION) throw new Error(`a piece has version ${bytes[0]}`);
  const body = bytes.subarray(HEADER);
  const reader = new Reader(
    bytes[1] === ZSTD ? zstdDecompressSync(body, { maxOutputLength: MOST_BYTES }) : body,
  );
  const count = reader.varint();
  const columns: PieceColumns['columns'] = new Map();
  while (reader.hasMore) {
    const number = reader.byte();
    const width = reader.byte();
    const least = reader.varint();
    const name = NAMES.get(number);
    if (!name) throw new Error(`a piece has a column ${number}`);
    const values = reader.values(count, width < NEGATIVE ? least : -least, width % NEGATIVE);
    columns.set(name, isWide(name) ? wide(values) : Int32Array.from(values));
  }
  return { count, columns };
}
