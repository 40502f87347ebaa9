/** A 64-bit SimHash of words under a key: step 3 of docs/fingerprints.md. */
import { blake2s } from '@noble/hashes/blake2.js';
import type { Word } from './words.ts';

/** Four hashes of 64 bits, each as two halves, the higher first. */
type Hashes = Int32Array;

/** For so many words of a prompt the hashes of a number count once more: it tells rows apart in long prompts, too. */
const WORDS_PER_WEIGHT = 50;
/** Words whose hashes are remembered, since prompts say most of them again. */
const REMEMBERED = 4_096;

const hex = (half: number) => (half >>> 0).toString(16).padStart(8, '0');

/** Hashes and prints under the key of one Mandant. */
export class KeyedPrints {
  readonly #keyed: ReturnType<typeof blake2s.create>;
  readonly #known = new Map<string, Hashes>();

  /** `key`: 64 hexadecimal characters, as the service tells them. */
  constructor(key: string) {
    const bytes = Uint8Array.from(key.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    this.#keyed = blake2s.create({ key: bytes });
  }

  /** The first 64 bits of BLAKE2s under the key, as 16 hexadecimal characters. */
  digest(text: string): string {
    const [high = 0, low = 0] = this.#hash(text);
    return hex(high) + hex(low);
  }

  /** As 16 hexadecimal characters; null without words. */
  simHash(words: readonly Word[]): string | null {
    if (words.length === 0) return null;
    const high = new Votes();
    const low = new Votes();
    let total = 0;
    let [highBefore = 0, lowBefore = 0] = this.#remembered('');
    for (const { text, hashes } of words) {
      const own = this.#remembered(text);
      const weight = hashes === 1 ? 1 : Math.ceil(words.length / WORDS_PER_WEIGHT);
      // Each of its hashes with the word before it, whose halves go the other way round: order counts.
      for (let i = 0; i < 2 * hashes; i += 2) {
        high.add((own[i] as number) ^ lowBefore, weight);
        low.add((own[i + 1] as number) ^ highBefore, weight);
        total += weight;
      }
      [highBefore = 0, lowBefore = 0] = own;
    }
    return hex(high.above(total / 2)) + hex(low.above(total / 2));
  }

  #remembered(text: string): Hashes {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    const hashes = this.#hash(text);
    this.#known.set(text, hashes);
    return hashes;
  }

  #hash(text: string): Hashes {
    const bytes = this.#keyed.clone().update(new TextEncoder().encode(text)).digest();
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return Int32Array.from({ length: 8 }, (_half, index) => view.getInt32(4 * index));
  }
}

/** For each of 32 bits the weight with which it was set: level by level, as a binary number on its side, so that all are added to at once. */
class Votes {
  readonly #levels: number[] = [];

  add(bits: number, weight: number): void {
    for (let level = 0; weight >> level > 0; level++) if ((weight >> level) & 1) this.#carry(bits, level);
  }

  #carry(bits: number, from: number): void {
    for (let level = from, carried = bits; carried !== 0; level++) {
      const before = this.#levels[level] ?? 0;
      this.#levels[level] = before ^ carried;
      carried &= before;
    }
  }

  /** The bits that were set with more than half of the weight. */
  above(half: number): number {
    let bits = 0;
    for (let bit = 31; bit >= 0; bit--) {
      const votes = this.#levels.reduce((sum, level, power) => sum + ((level >>> bit) & 1) * 2 ** power, 0);
      bits = (bits << 1) | (votes > half ? 1 : 0);
    }
    return bits;
  }
}
