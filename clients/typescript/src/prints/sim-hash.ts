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
  readonly #hashing: ReturnType<typeof blake2s.create>;
  readonly #digest = new Uint8Array(32);
  readonly #halves = new DataView(this.#digest.buffer);
  readonly #known = new Map<Word, Hashes>();
  readonly #beginning: Hashes;

  /** `key`: 64 hexadecimal characters, as the service tells them. */
  constructor(key: string) {
    const bytes = Uint8Array.from(key.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    this.#keyed = blake2s.create({ key: bytes });
    this.#hashing = this.#keyed.clone();
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

  /** Within two objects that are there: words that are new are hashed one after the other. */
  #hash(text: string, hashes: 1 | 4): Hashes {
    this.#keyed._cloneInto(this.#hashing).update(encoder.encode(text)).digestInto(this.#digest);
    const own = new Int32Array(2 * hashes);
    for (let i = 0; i < own.length; i++) own[i] = this.#halves.getInt32(4 * i);
    return own;
  }
}

/** More than the digits of any sum of weights. */
const LEVELS = 32;

/** For each of 32 bits the weight with which it was set: level by level, as a binary number on its side, so that all are counted at once. */
class Votes {
  readonly #levels = new Int32Array(LEVELS);
  /** Of two that come to a level the first waits, so that both are added in one step. */
  readonly #waiting = new Int32Array(LEVELS);
  /** At which levels one waits. */
  #waits = 0;
  #total = 0;

  add(bits: number, weight: number): void {
    this.#total += weight;
    for (let level = 0; weight >> level > 0; level++) if ((weight >> level) & 1) this.#carry(bits, level);
  }

  #carry(bits: number, from: number): void {
    let carried = bits;
    for (let level = from; ; level++) {
      this.#waits ^= 1 << level;
      if ((this.#waits >> level) & 1) {
        this.#waiting[level] = carried;
        return;
      }
      const before = this.#levels[level] as number;
      const either = before ^ (this.#waiting[level] as number);
      this.#levels[level] = either ^ carried;
      carried = (before & (this.#waiting[level] as number)) | (either & carried);
    }
  }

  #addWaiting(): void {
    for (let from = 0; from < LEVELS; from++) {
      let carried = (this.#waits >> from) & 1 ? (this.#waiting[from] as number) : 0;
      for (let level = from; carried !== 0; level++) {
        const before = this.#levels[level] as number;
        this.#levels[level] = before ^ carried;
        carried &= before;
      }
    }
    this.#waits = 0;
  }

  /** The bits that were set with more than half of the weight. */
  won(): number {
    this.#addWaiting();
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
