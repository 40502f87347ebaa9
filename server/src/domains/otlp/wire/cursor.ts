/** Reads the wire format of Protocol Buffers: fields one by one, without objects for what nobody asks for. */
import { Unreadable } from './record.ts';

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

const TWO_32 = 4_294_967_296;

/** A stretch of bytes that is read from its beginning. After `next` one of the readers, or `skip`, takes the field. */
export class Cursor {
  readonly bytes: Buffer;
  at: number;
  end: number;
  field = 0;
  #type = 0;

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  /** Goes to the next field; false at the end. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.#varint();
    this.field = Math.floor(tag / 8);
    this.#type = tag % 8;
    if (this.field === 0) throw new Unreadable('field 0');
    return true;
  }

  /** Bounds of a message, a text or bytes; the cursor goes on behind it. */
  #stretch(): [number, number] {
    if (this.#type !== BYTES) throw new Unreadable('wire type');
    const length = this.#varint();
    const start = this.at;
    if (length > this.end - start) throw new Unreadable('truncated');
    this.at = start + length;
    return [start, start + length];
  }

  message(): Cursor {
    const [start, end] = this.#stretch();
    return new Cursor(this.bytes, start, end);
  }

  text(): string {
    const [start, end] = this.#stretch();
    return this.bytes.toString('utf8', start, end);
  }

  /** The text, or null where it is longer than that. */
  textUpTo(most: number): string | null {
    const [start, end] = this.#stretch();
    return end - start > most ? null : this.bytes.toString('utf8', start, end);
  }

  hex(): string {
    const [start, end] = this.#stretch();
    return this.bytes.toString('hex', start, end);
  }

  /** A whole number of 64 bits with its sign, as near as a double comes. */
  integer(): number {
    if (this.#type !== VARINT) throw new Unreadable('wire type');
    return this.#varint(true);
  }

  double(): number {
    if (this.#type !== FIXED_64 || this.at + 8 > this.end) throw new Unreadable('double');
    const value = this.bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  /** Nanoseconds since 1970, as whole microseconds. */
  microseconds(): number {
    if (this.#type !== FIXED_64 || this.at + 8 > this.end) throw new Unreadable('time');
    const value = Number(this.bytes.readBigUInt64LE(this.at) / 1_000n);
    this.at += 8;
    return value;
  }

  skip(): void {
    if (this.#type === VARINT) this.#varint();
    else if (this.#type === BYTES) this.#stretch();
    else this.at += this.#fixed();
    if (this.at > this.end) throw new Unreadable('truncated');
  }

  #fixed(): number {
    if (this.#type === FIXED_64) return 8;
    if (this.#type === FIXED_32) return 4;
    // Groups have not been written for twenty years, and never in OTLP.
    throw new Unreadable('wire type');
  }

  #varint(signed = false): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) throw new Unreadable('truncated');
      const byte = this.bytes[this.at] as number;
      this.at += 1;
      const seven = byte & 0x7f;
      if (shift < 28) low |= seven << shift;
      else if (shift === 28) {
        low |= (seven & 0x0f) << 28;
        high |= seven >> 4;
      } else high |= seven << (shift - 32);
      if (byte < 0x80) return (signed ? high | 0 : high >>> 0) * TWO_32 + (low >>> 0);
    }
    throw new Unreadable('varint');
  }
}
