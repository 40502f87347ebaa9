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
const NOT_HEX = 0xff;
const INT32 = 2 ** 32;
/** Days from 1970 to 2000, where PostgreSQL's time begins. */
const EPOCH_DAY = 10_957;
/** Within this many seconds microseconds are exact as a number. */
const EXACT_SECONDS = 9_000_000_000;

/** The value of a hex digit by its UTF-16 code unit. */
const HEX = new Uint8Array(65_536).fill(NOT_HEX);
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;

/** Days since 2000-01-01 of `YYYY-MM-DD…`, proleptic Gregorian. Formula: Hinnant, "chrono-compatible date algorithms". */
function dayNumber(text: string): number {
  const month = twoDigits(text, 5);
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + twoDigits(text, 8) - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468 - EPOCH_DAY;
}

/** Microseconds behind the point of `….ffffffZ`; fewer decimals or none are filled up. */
function microsOf(text: string): number {
  let micros = 0;
  for (let at = 20; at < 26; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    micros = micros * 10 + (digit >= 0 && digit <= 9 ? digit : 0);
  }
  return micros;
}

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

  /** Begins a row of so many columns. */
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

  /** `timestamptz` of ISO 8601 in UTC with `Z` and up to six decimals. */
  instant(iso: string): void {
    const time = twoDigits(iso, 11) * 3_600 + twoDigits(iso, 14) * 60 + twoDigits(iso, 17);
    const seconds = dayNumber(iso) * 86_400 + time;
    if (!Number.isInteger(seconds)) throw new RangeError(`not an instant: ${iso}`);
    const micros = microsOf(iso);
    this.#view.setInt32(this.#length, 8);
    if (Math.abs(seconds) < EXACT_SECONDS) this.#int64(this.#length + 4, seconds * 1e6 + micros);
    else this.#view.setBigInt64(this.#length + 4, BigInt(seconds) * 1_000_000n + BigInt(micros));
    this.#length += 12;
  }

  /** `uuid` of its canonical text. */
  uuid(text: string): void {
    if (text.length !== 36) throw new RangeError(`not a UUID: ${text}`);
    this.#view.setInt32(this.#length, 16);
    let at = this.#length + 4;
    let digits = 0;
    for (let index = 0; index < 36; index += 2) {
      if (index === 8 || index === 13 || index === 18 || index === 23) index += 1;
      const high = HEX[text.charCodeAt(index)] as number;
      const low = HEX[text.charCodeAt(index + 1)] as number;
      digits |= high | low;
      this.#bytes[at] = (high << 4) | low;
      at += 1;
    }
    if (digits > 15) throw new RangeError(`not a UUID: ${text}`);
    this.#length = at;
  }

  /** `bytea` of an even number of hex digits. */
  hex(text: string): void {
    this.#ensure(text.length);
    this.#view.setInt32(this.#length, text.length >> 1);
    let at = this.#length + 4;
    let digits = text.length & 1 ? NOT_HEX : 0;
    for (let index = 0; index + 1 < text.length; index += 2) {
      const high = HEX[text.charCodeAt(index)] as number;
      const low = HEX[text.charCodeAt(index + 1)] as number;
      digits |= high | low;
      this.#bytes[at] = (high << 4) | low;
      at += 1;
    }
    if (digits > 15) throw new RangeError('not hex digits');
    this.#length = at;
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
