/**
 * An array as the value of a statement in PostgreSQL's binary form: nothing is made a text and parsed again. Source:
 * `array_recv` in PostgreSQL's `arrayfuncs.c`.
 */
import { UUID_BYTES, UUID_LENGTH, writeUuid } from '#kernel/hex.ts';
import { numericRoom, writeDigits, writeNumeric, writeWhole } from './numeric-binary.ts';

/** Number of each type in the server's catalogue. */
const TYPES = {
  smallint: 21,
  int: 23,
  bigint: 20,
  numeric: 1700,
  text: 25,
  timestamptz: 1184,
  bytea: 17,
  uuid: 2950,
} as const;

export type ElementType = keyof typeof TYPES;

/** Number of dimensions, whether any element is null, type; length and lower bound of the only dimension. */
const HEADER = 20;
/** Of an element, before its bytes. */
const LENGTH = 4;
const FIRST_BYTES = 1_024;
/** Bytes that an element of each type usually takes, with its length. */
const USUAL_BYTES: Record<ElementType, number> = {
  smallint: 6,
  int: 8,
  bigint: 12,
  numeric: 22,
  text: 24,
  timestamptz: 12,
  bytea: 24,
  uuid: 20,
};
/** Bytes of any whole number up to 2^53. */
const WHOLE = 24;
const INT32 = 2 ** 32;
/** Length of an element that is null. */
const NULL = -1;
/** Bytes that a code unit of a text takes at most. */
const UTF8 = 3;
/** Seconds from 1970 to 2000, from where PostgreSQL counts microseconds. */
const SECONDS_TO_2000 = 946_684_800;
/** Hardly any amount has more digits. */
const USUAL_DIGITS = 100;
const USUAL = 10n ** BigInt(USUAL_DIGITS);

const digitsIn = (value: bigint): number =>
  value < USUAL && value > -USUAL ? USUAL_DIGITS : value.toString().length;

export class BinaryArray {
  readonly #type: ElementType;
  #bytes: Buffer;
  #view: DataView;
  #length = HEADER;
  #count = 0;
  #hasNulls = false;

  /** `expected`: how many elements there will probably be: what grows leaves all it was before as garbage. */
  constructor(type: ElementType, expected = 0) {
    this.#type = type;
    this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES + expected * USUAL_BYTES[type]);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Adds a whole number; beyond 2^53 it must be a BigInt. */
  whole(value: number | bigint): void {
    if (this.#type === 'numeric' && typeof value === 'bigint') this.scaled(value, 0);
    else this.#add(this.#writeWhole(this.#room(WHOLE), value));
  }

  /** Adds a `numeric`: `scaled` × 10^-`scale`. */
  scaled(scaled: bigint, scale: number): void {
    const at = this.#room(numericRoom(digitsIn(scaled)));
    this.#add(writeNumeric(this.#view, at, scaled, scale));
  }

  /** Adds a `numeric` by its first `count` digits to the base of 10,000, the highest first, and `zeros` more behind them. */
  digits(digits: ArrayLike<number>, count: number, zeros: number, negative = false): void {
    const at = this.#room(numericRoom(4 * count));
    this.#add(writeDigits(this.#view, at, digits, count, zeros, negative));
  }

  text(value: string): void {
    const at = this.#room(UTF8 * value.length);
    this.#add(this.#bytes.write(value, at, 'utf8'));
  }

  /** Adds a `bytea`. */
  bytes(value: Uint8Array): void {
    const at = this.#room(value.length);
    this.#bytes.set(value, at);
    this.#add(value.length);
  }

  /** Adds a `uuid` by its canonical text. Throws RangeError on anything else. */
  uuid(text: string): void {
    const at = this.#room(text.length);
    // The characters go where the bytes will stand: none of them is read after it was overwritten.
    const written = this.#bytes.write(text, at, 'latin1');
    if (!writeUuid(this.#bytes, at, this.#bytes, at) || written !== UUID_LENGTH)
      throw new RangeError(`not a UUID: ${text}`);
    this.#add(UUID_BYTES);
  }

  /** Adds a `timestamptz`: seconds since 1970 and microseconds. */
  instant(seconds: number, micros: number): void {
    const at = this.#room(WHOLE);
    const since = seconds - SECONDS_TO_2000;
    const value = since * 1e6 + micros;
    this.#add(
      this.#writeWhole(at, Number.isSafeInteger(value) ? value : BigInt(since) * 1_000_000n + BigInt(micros)),
    );
  }

  null(): void {
    this.#room(0);
    this.#view.setInt32(this.#length, NULL);
    this.#length += LENGTH;
    this.#count += 1;
    this.#hasNulls = true;
  }

  /** The array of all that was added. */
  finish(): Buffer {
    this.#view.setInt32(0, 1);
    this.#view.setInt32(4, Number(this.#hasNulls));
    this.#view.setInt32(8, TYPES[this.#type]);
    this.#view.setInt32(12, this.#count);
    this.#view.setInt32(16, 1);
    return this.#bytes.subarray(0, this.#length);
  }

  #writeWhole(at: number, value: number | bigint): number {
    const view = this.#view;
    if (this.#type === 'numeric') return writeWhole(view, at, value as number);
    if (this.#type === 'smallint') view.setInt16(at, value as number);
    else if (this.#type === 'int') view.setInt32(at, value as number);
    else if (typeof value === 'bigint') view.setBigInt64(at, value);
    else return this.#write64(at, value);
    return this.#type === 'smallint' ? 2 : this.#type === 'int' ? 4 : 8;
  }

  #write64(at: number, value: number): number {
    const high = Math.floor(value / INT32);
    this.#view.setInt32(at, high);
    this.#view.setUint32(at + 4, value - high * INT32);
    return 8;
  }

  /** Where the next element's bytes begin; makes room for this many. */
  #room(bytes: number): number {
    const wanted = this.#length + LENGTH + bytes;
    if (wanted > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return this.#length + LENGTH;
  }

  #add(bytes: number): void {
    this.#view.setInt32(this.#length, bytes);
    this.#length += LENGTH + bytes;
    this.#count += 1;
  }
}
