/** Chance that comes out the same every time: sfc32, seeded by a text. */

/** Mixes a text into 32 bits (FNV-1a with a last stir). */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x735a2d97) ^ (hash >>> 13);
}

export class Chance {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: string) {
    this.#seed = seed;
    [this.#a, this.#b, this.#c] = [seedOf(`${seed}/a`), seedOf(`${seed}/b`), seedOf(`${seed}/c`)];
    for (let round = 0; round < 12; round += 1) this.bits();
  }

  /** Another one that does not depend on how often this one was asked. */
  named(name: string): Chance {
    return new Chance(`${this.#seed}/${name}`);
  }

  bits(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** From 0 to before 1. */
  share(): number {
    return this.bits() / 2 ** 32;
  }

  is(probability: number): boolean {
    return this.share() < probability;
  }

  /** A whole number, both ends included. */
  from(least: number, most: number): number {
    return least + Math.floor(this.share() * (most - least + 1));
  }

  /** Around a middle, skewed to the right as durations and lengths are; mostly within a factor of two. */
  around(middle: number): number {
    const spread = this.share() + this.share() + this.share() - 1.5;
    return Math.max(1, Math.round(middle * Math.exp(spread * 0.9)));
  }

  one<T>(items: readonly T[]): T {
    return items[this.from(0, items.length - 1)] as T;
  }

  /** A UUID (version 4 by its form). */
  uuid(): string {
    const hex = Array.from({ length: 4 }, () => this.bits().toString(16).padStart(8, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
