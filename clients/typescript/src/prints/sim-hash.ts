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
    const sums = new Int32Array(64);
    let [highBefore = 0, lowBefore = 0] = this.#remembered('');
    for (const { text, hashes } of words) {
      const own = this.#remembered(text);
      const weight = hashes === 1 ? 1 : Math.ceil(words.length / WORDS_PER_WEIGHT);
      // Each of its hashes with the word before it, whose halves go the other way round: order counts.
      for (let i = 0; i < 2 * hashes; i += 2) {
        addHalf(sums, 0, (own[i] as number) ^ lowBefore, weight);
        addHalf(sums, 32, (own[i + 1] as number) ^ highBefore, weight);
      }
      [highBefore = 0, lowBefore = 0] = own;
    }
    return hex(halfOf(sums, 0)) + hex(halfOf(sums, 32));
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

/** Adds a weight to the sum of each bit that is set, takes it from that of each other. */
function addHalf(sums: Int32Array, from: number, half: number, weight: number): void {
  for (let bit = 0; bit < 32; bit++)
    sums[from + bit] = (sums[from + bit] as number) + ((half >> (31 - bit)) & 1 ? weight : -weight);
}

/** 32 bits from a place on: set where the sum is above nothing. */
function halfOf(sums: Int32Array, from: number): number {
  let half = 0;
  for (let bit = 0; bit < 32; bit++) half = (half << 1) | ((sums[from + bit] as number) > 0 ? 1 : 0);
  return half;
}
