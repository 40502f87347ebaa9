/**
 * How much a JSON text may hold. Making objects of a text costs by what stands in it rather than by its length: millions of
 * empty objects, or names that no other object has, cost many times what as many bytes of ordinary data do. So the bytes are
 * looked through before anything is made of them, and only as far as what they hold is within reason for their number.
 */

/** Levels of nesting. */
const MAX_NESTING = 1_000;
/** Values of all kinds, those that hold others included: twice those of the largest ordinary batch. */
const MAX_VALUES = 400_000;
/** Values below these levels are free data: their names are the sender's, and each has to be looked into by itself. */
const FREE_FROM_LEVEL = 4;
/** Ordinary free data take more bytes for each of their values, name included. */
const BYTES_PER_FREE_VALUE = 32;
const ANY_FREE_VALUES = 5_000;
/** Objects that share their names share what the engine keeps about them; many different names are rare. */
const BYTES_PER_NAME = 500;
const ANY_NAMES = 2_000;
/** No name takes fewer, with quotes, colon and value. */
const LEAST_BYTES_OF_NAME = 4;

/** What a text has too much of. */
export type Excess = 'nesting' | 'values' | 'names';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** So few names share a bit that hardly any is missed. */
const BITS_PER_NAME = 16;
const FNV_PRIME = 16_777_619;
/** Unknown outside, so that nobody can choose names that share a bit. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/** Counts different names by their hashes: each bit stands for all that share it. */
class Names {
  readonly #mask: number;
  readonly #seen: Uint8Array;
  count = 0;

  /** `most`: how many there are at most. */
  constructor(most: number) {
    const bits = 2 ** Math.ceil(Math.log2(BITS_PER_NAME * Math.max(1, most)));
    this.#mask = bits - 1;
    this.#seen = new Uint8Array(bits / 8);
  }

  add(hash: number): void {
    const bit = (hash ^ (hash >>> 15)) & this.#mask;
    const mask = 1 << (bit & 7);
    const byte = this.#seen[bit >> 3] as number;
    if ((byte & mask) !== 0) return;
    this.#seen[bit >> 3] = byte | mask;
    this.count += 1;
  }
}

/** Counts what stands in a text of some length, in one piece or in several. */
export class Extent {
  readonly #mostFreeValues: number;
  readonly #mostNames: number;
  readonly #length: number;
  #names: Names | null = null;
  #values = 0;
  #freeValues = 0;

  /** `length`: bytes of the whole text. */
  constructor(length: number) {
    this.#length = length;
    this.#mostFreeValues = Math.max(ANY_FREE_VALUES, Math.floor(length / BYTES_PER_FREE_VALUE));
    this.#mostNames = Math.max(ANY_NAMES, Math.floor(length / BYTES_PER_NAME));
  }

  /**
   * Looks at the bytes from `start` to `end`, which begin below this many levels. Says what there is too much of by now; null
   * when all is within reason. Of what is no JSON it counts what is in it.
   */
  add(bytes: Uint8Array, start: number, end: number, level: number): Excess | null {
    let depth = level;
    let excess = this.#addValue(depth);
    /** Of the last text, which is a name where a colon follows. */
    let hash = 0;
    for (let at = start; at < end && !excess; at += 1) {
      switch (bytes[at]) {
        case QUOTE:
          hash = SEED;
          for (at += 1; at < end && bytes[at] !== QUOTE; at += 1) {
            hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
            if (bytes[at] === BACKSLASH) at += 1;
          }
          break;
        case COLON:
          excess = this.#addName(hash);
          break;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          depth += 1;
          excess = this.#addValue(depth);
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          depth -= 1;
          break;
        case COMMA:
          excess = this.#addValue(depth);
      }
    }
    return excess;
  }

  #addValue(depth: number): Excess | null {
    if (depth > MAX_NESTING) return 'nesting';
    this.#values += 1;
    if (depth >= FREE_FROM_LEVEL) this.#freeValues += 1;
    return this.#values > MAX_VALUES || this.#freeValues > this.#mostFreeValues ? 'values' : null;
  }

  #addName(hash: number): Excess | null {
    this.#names ??= new Names(Math.min(this.#mostNames, this.#length / LEAST_BYTES_OF_NAME));
    this.#names.add(hash);
    return this.#names.count > this.#mostNames ? 'names' : null;
  }
}

/** What a text has too much of, null when it is within reason. */
export const excessOf = (text: Uint8Array): Excess | null =>
  new Extent(text.length).add(text, 0, text.length, 0);
