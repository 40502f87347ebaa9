/** Numbers for the distinct texts of a batch, told apart by their bytes: no string is made of any of them. */

import { joinTexts, type PackedTexts } from './packed-batch.ts';
import { UNUSUAL } from './scan-json.ts';

const FIRST_SLOTS = 1_024;
/** More texts at one place of the table than chance brings: somebody has chosen them so that looking up takes long. */
const MAX_PROBES = 64;
/** Another text of the same hash counts as so many: it is hardly ever chance, and long ones take long to tell apart. */
const LIKE_PROBES = 16;

export class ByteTexts {
  #bytes: Buffer = Buffer.alloc(0);
  /** Numbers of texts by hash; 0 is free. The size is a power of two, at least twice the number of texts. */
  #slots = new Uint32Array(FIRST_SLOTS);
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #hashes: number[] = [];
  /** What is kept in place of a text that stands in another form. */
  readonly #replaced = new Map<number, Buffer>();

  /** Begins anew, for texts within these bytes. */
  reset(bytes: Buffer): void {
    this.#bytes = bytes;
    if (this.#slots.length > FIRST_SLOTS) this.#slots = new Uint32Array(FIRST_SLOTS);
    else this.#slots.fill(0);
    this.#starts.length = 0;
    this.#ends.length = 0;
    this.#hashes.length = 0;
    this.#replaced.clear();
  }

  get size(): number {
    return this.#starts.length;
  }

  /** The number, from 1, of the text from `start` to `end`, which has this hash. Throws `UNUSUAL` at texts chosen to collide. */
  numberOf(start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    let probes = 0;
    for (let number = this.#slots[slot] as number; number !== 0; number = this.#slots[slot] as number) {
      const isLike = this.#hashes[number - 1] === hash;
      if (isLike && this.#isSame(number, start, end)) return number;
      if (probes >= MAX_PROBES) throw UNUSUAL;
      probes += isLike ? LIKE_PROBES : 1;
      slot = (slot + 1) & mask;
    }
    this.#starts.push(start);
    this.#ends.push(end);
    this.#hashes.push(hash);
    this.#slots[slot] = this.size;
    if (2 * this.size > this.#slots.length) this.#grow();
    return this.size;
  }

  /** Keeps other bytes in place of a text. */
  replace(number: number, bytes: Buffer): void {
    this.#replaced.set(number, bytes);
  }

  toPacked(): PackedTexts {
    const pieces = this.#starts.map(
      (start, index) => this.#replaced.get(index + 1) ?? this.#bytes.subarray(start, this.#ends[index]),
    );
    return joinTexts(pieces);
  }

  #isSame(number: number, start: number, end: number): boolean {
    const known = this.#starts[number - 1] as number;
    if ((this.#ends[number - 1] as number) - known !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = start; at < end; at += 1) if (bytes[at] !== bytes[known + at - start]) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (const [index, hash] of this.#hashes.entries()) {
      let slot = hash & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = index + 1;
    }
  }
}
