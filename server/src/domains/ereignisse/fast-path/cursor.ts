/**
 * A cursor over plain JSON, for bodies of a number and size at which objects for their values would cost more than all the rest.
 * It reads what it is asked for from where it stands and throws `FALL_BACK` at everything else: wrong JSON as well as right
 * JSON of another form (escapes, fractions, exponents).
 */

/** Thrown at what the fast path does not take. One for all: nobody looks at its stack. */
export const FALL_BACK = new Error('left to the fallback');

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const TAB = 0x09;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** Numbers of this many digits count exactly. */
const EXACT_DIGITS = 15;

/** What `peek` answers at the end. */
export const END = -1;

const PIECE = 4;

/** Bytes to be recognised, at least four of them: as numbers of four bytes each, the last of which may overlap. */
export interface Word {
  length: number;
  pieces: Uint32Array;
}

export function wordOf(text: string): Word {
  const bytes = Buffer.from(text);
  const starts = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, index) => PIECE * index);
  const pieces = starts.map((start) => bytes.readUInt32BE(Math.min(start, bytes.length - PIECE)));
  return { length: bytes.length, pieces: new Uint32Array(pieces) };
}

export class JsonCursor {
  readonly bytes: Buffer;
  readonly #view: DataView;
  at = 0;
  /** Of the text read last: where it begins and ends between the quotes. */
  start = 0;
  end = 0;

  /** `bytes` must be UTF-8. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The next byte that is no white space, without taking it. */
  peek(): number {
    const { bytes } = this;
    // Nothing is read behind the end here and below: a single time makes every later access slow.
    for (let at = this.at; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) continue;
      this.at = at;
      return byte;
    }
    this.at = bytes.length;
    return END;
  }

  /** Takes this byte and the white space before it. */
  take(byte: number): void {
    if (this.peek() !== byte) throw FALL_BACK;
    this.at += 1;
  }

  /** Takes this byte if it comes next. */
  takes(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at += 1;
    return true;
  }

  /** Takes a word if it comes next, without white space before it. */
  takesWord({ length, pieces }: Word): boolean {
    const { at } = this;
    if (at + length > this.bytes.length) return false;
    const last = pieces.length - 1;
    for (let index = 0; index < last; index += 1)
      if (this.#view.getUint32(at + PIECE * index) !== pieces[index]) return false;
    if (this.#view.getUint32(at + length - PIECE) !== pieces[last]) return false;
    this.at = at + length;
    return true;
  }

  /** A text without escapes. */
  text(): void {
    this.take(QUOTE);
    const { bytes, at: start } = this;
    let at = start;
    let byte = 0;
    for (; at < bytes.length; at += 1) {
      byte = bytes[at] as number;
      if (byte === QUOTE || byte < FIRST_PRINTABLE || byte === BACKSLASH) break;
    }
    if (byte !== QUOTE) throw FALL_BACK;
    this.start = start;
    this.end = at;
    this.at = at + 1;
  }

  /** A whole number from 0 that counts exactly. */
  count(): number {
    const first = this.peek();
    const { bytes, at: start } = this;
    const end = Math.min(start + EXACT_DIGITS, bytes.length);
    let value = 0;
    let at = start;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte < ZERO || byte > NINE) break;
      value = value * 10 + byte - ZERO;
    }
    // A digit more is none of those that may follow a value: the reader of those refuses it.
    if (at === start || (first === ZERO && at > start + 1)) throw FALL_BACK;
    this.at = at;
    return value;
  }

  /** Passes over an object, which need not be right inside; its text is then that of `start` to `end`. */
  object(): void {
    if (this.peek() !== OPEN) throw FALL_BACK;
    const { bytes } = this;
    let depth = 0;
    let inText = false;
    let at = this.at;
    do {
      if (at === bytes.length || bytes[at] === BACKSLASH) throw FALL_BACK;
      const byte = bytes[at] as number;
      if (byte === QUOTE) inText = !inText;
      else if (!inText && byte === OPEN) depth += 1;
      else if (!inText && byte === CLOSE) depth -= 1;
      at += 1;
    } while (depth > 0);
    this.start = this.at;
    this.end = at;
    this.at = at;
  }
}
