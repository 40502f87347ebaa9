/**
 * Gives the texts of a batch numbers, told apart by their bytes: no string is made of any of them. Two texts that share a place
 * drive each other out, and are kept again each time they come: that costs room, and nothing else.
 */
import type { PackedTexts } from '../packed/write.ts';

const QUOTE = 0x22;
const PLACES = 2_048;
const PLACE_BITS = 11;
/** 2^32 divided by the golden ratio, which scatters neighbours. */
const SCATTER = 0x9e3779b1;
const NONE = -1;

export class ByteStringDictionary {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** The number of the text that was seen last at each place. */
  readonly #seen = new Int32Array(PLACES).fill(NONE);
  /** What is kept in place of a text that stands in another form. */
  readonly #replaced = new Map<number, Buffer>();
  /** Numbers of texts that stand nowhere in the bytes. */
  readonly #made = new Map<string, number>();

  /** Begins anew, for texts within these bytes. */
  reset(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#starts.length = 0;
    this.#ends.length = 0;
    this.#seen.fill(NONE);
    this.#replaced.clear();
    this.#made.clear();
  }

  get size(): number {
    return this.#starts.length;
  }

  /** The number, from 0, of the JSON from `start` to `end`: a text with its quotes, or an object. */
  numberOf(start: number, end: number): number {
    const place = this.#placeOf(start, end);
    const seen = this.#seen[place] as number;
    if (seen !== NONE && this.#isSame(seen, start, end)) return seen;
    const number = this.#starts.push(start) - 1;
    this.#ends.push(end);
    this.#seen[place] = number;
    return number;
  }

  /** The number of a text that may stand nowhere in the bytes; none of those that do is looked at. */
  numberOfText(text: string): number {
    const known = this.#made.get(text);
    if (known !== undefined) return known;
    const number = this.#starts.push(0) - 1;
    this.#ends.push(0);
    this.#made.set(text, number);
    this.replace(number, Buffer.from(text));
    return number;
  }

  /** Keeps other bytes in place of a text. */
  replace(number: number, bytes: Buffer): void {
    this.#replaced.set(number, bytes);
  }

  toPacked(): PackedTexts {
    const ends = new Uint32Array(this.size + 1);
    for (let number = 0; number < this.size; number += 1) {
      const length = this.#replaced.get(number)?.length ?? this.#end(number) - this.#start(number);
      ends[number + 1] = (ends[number] as number) + length;
    }
    return { ends, copyTo: (target, start) => this.#copyTo(target, start, ends) };
  }

  #copyTo(target: Buffer, start: number, ends: Uint32Array): void {
    for (let number = 0; number < this.size; number += 1) {
      const at = start + (ends[number] as number);
      const replaced = this.#replaced.get(number);
      if (replaced) replaced.copy(target, at);
      else this.#bytes.copy(target, at, this.#start(number), this.#end(number));
    }
  }

  #quote(number: number): number {
    return this.#bytes[this.#starts[number] as number] === QUOTE ? 1 : 0;
  }

  /** Where a text begins and ends, without its quotes. */
  #start(number: number): number {
    return (this.#starts[number] as number) + this.#quote(number);
  }

  #end(number: number): number {
    return (this.#ends[number] as number) - this.#quote(number);
  }

  /** By the last bytes. */
  #placeOf(start: number, end: number): number {
    const bytes = this.#bytes;
    let tail = end - start;
    for (let at = Math.max(start, end - 5); at < end; at += 1) tail = (tail << 8) ^ (bytes[at] as number);
    return Math.imul(tail, SCATTER) >>> (32 - PLACE_BITS);
  }

  #isSame(number: number, start: number, end: number): boolean {
    const known = this.#starts[number] as number;
    if ((this.#ends[number] as number) - known !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = start; at < end; at += 1) if (bytes[at] !== bytes[known + at - start]) return false;
    return true;
  }
}
