/**
 * How much a JSON text may hold. Making objects of a text costs by what stands in it rather than by its length: millions of
 * empty objects, or names that no other object has, cost many times what as many bytes of ordinary data do. So the bytes are
 * looked through before anything is made of them, and only as far as what they hold is within reason.
 */

/** Levels of nesting. */
export const MAX_NESTING = 1_000;
/** Values of all kinds, those that hold others included: twice those of the largest ordinary batch. */
export const MAX_VALUES = 400_000;
/** Different names of fields. Objects that share theirs share what the engine keeps about them. */
export const MAX_NAMES = 20_000;

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

/** A text this short cannot hold so many names, with quotes, colon, value and comma, that they are worth counting. */
const NAMES_COUNTED_FROM = 5 * MAX_NAMES;
/** Bits, each of which stands for all names with its hash: a few in a hundred share one and are counted once. */
const HASHES = 2 ** 20;
const FNV_PRIME = 16_777_619;
/** Unknown outside, so that nobody can choose names that share a bit. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/** Counts different names by their hashes. */
class Names {
  readonly #seen = new Uint8Array(HASHES / 8);
  count = 0;

  add(hash: number): void {
    const bit = (hash ^ (hash >>> 12)) & (HASHES - 1);
    const mask = 1 << (bit & 7);
    const byte = this.#seen[bit >> 3] as number;
    if ((byte & mask) !== 0) return;
    this.#seen[bit >> 3] = byte | mask;
    this.count += 1;
  }
}

/** What the text has too much of, null when it is within reason. Of what is no JSON it says as much as is in it. */
export function excessOf(bytes: Uint8Array): Excess | null {
  const names = bytes.length < NAMES_COUNTED_FROM ? null : new Names();
  let depth = 0;
  let values = 1;
  let hash = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE: {
        hash = SEED;
        let byte = 0;
        for (at += 1; at < bytes.length; at += 1) {
          byte = bytes[at] as number;
          if (byte === QUOTE) break;
          if (byte === BACKSLASH) at += 1;
          hash = Math.imul(hash ^ byte, FNV_PRIME);
        }
        break;
      }
      case COLON:
        names?.add(hash);
        if (names && names.count > MAX_NAMES) return 'names';
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > MAX_NESTING) return 'nesting';
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        if (values > MAX_VALUES) return 'values';
    }
  }
  return values > MAX_VALUES ? 'values' : null;
}
