/**
 * Rows in PostgreSQL's binary COPY format, written straight into one growing buffer as they go over the wire: no strings,
 * no objects in between, and nothing left for the server to parse. Sources: "Binary Format" of COPY and "Message Formats"
 * in PostgreSQL's manual, the `…_recv` functions of the types.
 */
import { writeNumeric } from './numeric-binary.ts';

const SIGNATURE = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = -1;
/** CopyData: its letter, its length without the letter; then the data. */
const COPY_DATA = 0x64;
const MESSAGE_HEADER = 5;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
/** The server begins to work on a message when it has all of it; so the data go in several. */
const MESSAGE = 32 * 1024;
const NULL = -1;
/** Always free behind what is written: all fields of a row that are not text, and the trailer. */
const ROOM = 1_024;
/** Up to this length a loop over the characters is faster than a call of the encoder. */
const SHORT = 96;
const INT32 = 2 ** 32;
/** Seconds from 1970 to 2000, where PostgreSQL's time begins. */
const EPOCH = 946_684_800;
/** Within this many seconds microseconds are exact as a number. */
const EXACT_SECONDS = 9_000_000_000;

interface Mark {
  length: number;
  message: number;
}

export class CopyBuffer {
  #bytes: Buffer;
  #view: DataView;
  #length = 0;
  /** Where the message that is being written begins. */
  #message = 0;

  /** `expected`: bytes it will probably hold. */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expected + ROOM);
    this.#view = new DataView(this.#bytes.buffer);
    this.reset();
  }

  /** How far it is written, to come back to with `rewind`. */
  mark(): Mark {
    return { length: this.#length, message: this.#message };
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Bytes of memory it holds. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Takes back everything behind the mark. */
  rewind({ length, message }: Mark): void {
    this.#length = length;
    this.#message = message;
  }

  /** Begins anew in the same memory. */
  reset(): void {
    this.#length = 0;
    this.#beginMessage();
    this.#bytes.set(SIGNATURE, this.#length);
    this.#length += SIGNATURE.length;
  }

  /** All messages of the COPY, to its end; nothing may follow. */
  finish(): Buffer {
    this.#view.setInt16(this.#length, TRAILER);
    this.#length += 2;
    this.#endMessage();
    this.#bytes.set(COPY_DONE, this.#length);
    return this.#bytes.subarray(0, this.#length + COPY_DONE.length);
  }

  /** Begins a row of this many columns. */
  row(columns: number): void {
    this.#ensure(0);
    if (this.#length - this.#message > MESSAGE) {
      this.#endMessage();
      this.#beginMessage();
    }
    this.#view.setInt16(this.#length, columns);
    this.#length += 2;
  }

  null(): void {
    this.#view.setInt32(this.#length, NULL);
    this.#length += 4;
  }

  boolean(value: boolean): void {
    this.#view.setInt32(this.#length, 1);
    this.#bytes[this.#length + 4] = value ? 1 : 0;
    this.#length += 5;
  }

  /** `bigint`. Throws on what is no exact integer. */
  integer(value: number | bigint): void {
    this.#view.setInt32(this.#length, 8);
    if (typeof value === 'bigint') this.#view.setBigInt64(this.#length + 4, value);
    else if (!Number.isSafeInteger(value)) throw new RangeError(`not an exact integer: ${value}`);
    else this.#int64(this.#length + 4, value);
    this.#length += 12;
  }

  /** `timestamptz` of seconds since 1970 in UTC and the microseconds behind them. */
  instant(seconds: number, micros: number): void {
    const since = seconds - EPOCH;
    this.#view.setInt32(this.#length, 8);
    if (Math.abs(since) < EXACT_SECONDS) this.#int64(this.#length + 4, since * 1e6 + micros);
    else this.#view.setBigInt64(this.#length + 4, BigInt(since) * 1_000_000n + BigInt(micros));
    this.#length += 12;
  }

  /** Any type whose wire form stands ready, as that of `uuid`, `bytea` and `text`: the bytes from `start` to `end`. */
  bytes(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#ensure(length);
    this.#view.setInt32(this.#length, length);
    const at = this.#length + 4;
    if (length > SHORT) this.#bytes.set(source.subarray(start, end), at);
    else
      for (let index = 0; index < length; index += 1)
        this.#bytes[at + index] = source[start + index] as number;
    this.#length = at + length;
  }

  /** `text` or `json`: UTF-8. */
  text(value: string): void {
    this.#ensure(3 * value.length);
    const start = this.#length + 4;
    let bytes = value.length;
    if (value.length > SHORT || !this.#ascii(value, start)) bytes = this.#bytes.write(value, start);
    this.#view.setInt32(this.#length, bytes);
    this.#length = start + bytes;
  }

  /** `numeric`: `scaled` × 10^-`scale`. */
  numeric(scaled: bigint, scale: number): void {
    const bytes = writeNumeric(this.#view, this.#length + 4, scaled, scale);
    this.#view.setInt32(this.#length, bytes);
    this.#length += 4 + bytes;
  }

  #beginMessage(): void {
    this.#message = this.#length;
    this.#bytes[this.#length] = COPY_DATA;
    this.#length += MESSAGE_HEADER;
  }

  #endMessage(): void {
    this.#view.setInt32(this.#message + 1, this.#length - this.#message - 1);
  }

  #int64(at: number, value: number): void {
    const high = Math.floor(value / INT32);
    this.#view.setInt32(at, high);
    this.#view.setUint32(at + 4, value - high * INT32);
  }

  /** Writes characters as bytes; false when one of them is not ASCII. */
  #ascii(value: string, start: number): boolean {
    const bytes = this.#bytes;
    for (let index = 0; index < value.length; index += 1) {
      const unit = value.charCodeAt(index);
      if (unit > 127) return false;
      bytes[start + index] = unit;
    }
    return true;
  }

  #ensure(more: number): void {
    const wanted = this.#length + more + ROOM;
    if (wanted <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
