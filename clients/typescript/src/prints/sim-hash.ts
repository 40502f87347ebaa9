/** A 64-bit SimHash of words under a key: step 3 of docs/fingerprints.md. */
import { blake2s } from '@noble/hashes/blake2.js';
import { hashesOf, type Word } from './words.ts';

/** The hashes of a word that count, one or four of 64 bits, each as two halves, the higher first. */
type Hashes = Int32Array;

/** For this many words of a prompt the hashes of a number count once more: it tells rows apart in long prompts, too. */
const WORDS_PER_WEIGHT = 50;
/** Words whose hashes are remembered, since prompts say most of them again. */
const REMEMBERED = 4_096;

const hex = (half: number) => (half >>> 0).toString(16).padStart(8, '0');

const encoder = new TextEncoder();

/** Hashes and prints under the key of one Mandant. */
export class KeyedPrints {
  readonly #keyed: ReturnType<typeof blake2s.create>;
  readonly #known = new Map<Word, Hashes>();
  readonly #beginning: Hashes;

  /** `key`: 64 hexadecimal characters, as the service tells them. */
  constructor(key: string) {
    const bytes = Uint8Array.from(key.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    this.#keyed = blake2s.create({ key: bytes });
    this.#beginning = this.#hash('', 1);
  }

  /** The first 64 bits of BLAKE2s under the key, as 16 hexadecimal characters. */
  digest(text: string): string {
    const [high = 0, low = 0] = this.#hash(text, 1);
    return hex(high) + hex(low);
  }

  /** As 16 hexadecimal characters; null without words. */
  simHash(words: readonly Word[]): string | null {
    if (words.length === 0) return null;
    const ofNumbers = Math.ceil(words.length / WORDS_PER_WEIGHT);
    const high = new Votes();
    const low = new Votes();
    let before = this.#beginning;
    for (const word of words) {
      const own = this.#known.get(word) ?? this.#remember(word);
      const weight = own.length === 2 ? 1 : ofNumbers;
      // Each of its hashes with the word before it, whose halves go the other way round: order counts.
      for (let i = 0; i < own.length; i += 2) {
        high.add((own[i] as number) ^ (before[1] as number), weight);
        low.add((own[i + 1] as number) ^ (before[0] as number), weight);
      }
      before = own;
    }
    return hex(high.won()) + hex(low.won());
  }

  #remember(word: Word): Hashes {
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    const hashes = this.#hash(word, hashesOf(word));
    this.#known.set(word, hashes);
    return hashes;
  }

  #hash(text: string, hashes: 1 | 4): Hashes {
    const bytes = this.#keyed.clone().update(encoder.encode(text)).digest();
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return Int32Array.from({ length: 2 * hashes }, (_half, index) => view.getInt32(4 * index));
  }
}

/** More than the digits of any sum of weights. */
const LEVELS = 32;

/** For each of 32 bits the weight with which it was set: level by level, as a binary number on its side, so that all are counted at once. */
class Votes {
  readonly #levels = new Int32Array(LEVELS);
  #total = 0;

  add(bits: number, weight: number): void {
    this.#total += weight;
    for (let level = 0; weight >> level > 0; level++) if ((weight >> level) & 1) this.#carry(bits, level);
  }

  #carry(bits: number, from: number): void {
    for (let level = from, carried = bits; carried !== 0; level++) {
      const before = this.#levels[level] as number;
      this.#levels[level] = before ^ carried;
      carried &= before;
    }
  }

  /** The bits that were set with more than half of the weight. */
  won(): number {
    const half = Math.floor(this.#total / 2);
    let won = 0;
    let even = -1;
    // From the highest digit down: what is larger there has won, what is alike goes on.
    for (let level = LEVELS - 1; level >= 0; level--) {
      const votes = this.#levels[level] as number;
      const needed = (half >> level) & 1 ? -1 : 0;
      won |= even & votes & ~needed;
      even &= ~(votes ^ needed);
    }
    return won;
  }
}
