/** Gives the distinct texts of a batch numbers, told apart by their bytes: hardly ever a string is made of one. */
import { joinTexts, type PackedTexts } from '../packed/write.ts';

const QUOTE = 0x22;
/** Texts that came lately are found without looking them up: most come again soon. A power of two. */
const RECENT = 1_024;
const RECENT_BITS = 10;
/** 2^32 divided by the golden ratio, which scatters neighbours. */
const SCATTER = 0x9e3779b1;
const NONE = -1;

export class ByteStringDictionary {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #recent = new Int32Array(RECENT).fill(NONE);
  /** What is kept in place of a text that stands in another form. */
  readonly #replaced = new Map<number, Buffer>();

  /** Begins anew, for texts within these bytes. */
  reset(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#starts.length = 0;
    this.#ends.length = 0;
    this.#numbers.clear();
    this.#recent.fill(NONE);
    this.#replaced.clear();
  }

  get size(): number {
    return this.#starts.length;
  }

  /** The number, from 0, of the JSON from `start` to `end`: a text with its quotes, or an object. */
  numberOf(start: number, end: number): number {
    const place = this.#placeOf(start, end);
    const recent = this.#recent[place] as number;
    if (recent !== NONE && this.#isSame(recent, start, end)) return recent;
    const number = this.#lookUp(start, end);
    this.#recent[place] = number;
    return number;
  }

  /** Keeps other bytes in place of a text. */
  replace(number: number, bytes: Buffer): void {
    this.#replaced.set(number, bytes);
  }

  toPacked(): PackedTexts {
    return joinTexts(this.#starts.map((_, number) => this.#replaced.get(number) ?? this.#kept(number)));
  }

  #kept(number: number): Buffer {
    const start = this.#starts[number] as number;
    const end = this.#ends[number] as number;
    const quote = this.#bytes[start] === QUOTE ? 1 : 0;
    return this.#bytes.subarray(start + quote, end - quote);
  }

  /** By the last bytes: whoever chooses texts that share a place only makes them be looked up. */
  #placeOf(start: number, end: number): number {
    const bytes = this.#bytes;
    let tail = end - start;
    for (let at = Math.max(start, end - 5); at < end; at += 1) tail = (tail << 8) ^ (bytes[at] as number);
    return Math.imul(tail, SCATTER) >>> (32 - RECENT_BITS);
  }

  #lookUp(start: number, end: number): number {
    // One character for each byte: what is the same as such a text is the same in bytes.
    const key = this.#bytes.toString('latin1', start, end);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#starts.length;
    this.#starts.push(start);
    this.#ends.push(end);
    this.#numbers.set(key, number);
    return number;
  }

  #isSame(number: number, start: number, end: number): boolean {
    const known = this.#starts[number] as number;
    if ((this.#ends[number] as number) - known !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = start; at < end; at += 1) if (bytes[at] !== bytes[known + at - start]) return false;
    return true;
  }
}
