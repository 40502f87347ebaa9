/**
 * A figure of many groups, added up exactly without an object for each sum: limbs of 32 bits in doubles, of which two million can be
 * added before they lose anything.
 */

const LIMB = 2 ** 32;
const LIMB_BITS = 32n;
/** From here on, and below 0, a number is added as BigInt. */
const BEYOND = 1n << 128n;
const FIRST_GROUPS = 64;

/** Whole numbers of one unit, 10^-scale, by the place of their group. */
export class Numbers {
  readonly scale: number;
  /** The lowest limb first. */
  readonly limbs: Float64Array[] = [];
  /** What is no sum of limbs. */
  readonly beyond = new Map<number, bigint>();
  #room = FIRST_GROUPS;

  constructor(scale: number) {
    this.scale = scale;
  }

  /** The same numbers, which change by themselves. */
  copy(): Numbers {
    const copy = new Numbers(this.scale);
    copy.#room = this.#room;
    copy.limbs.push(...this.limbs.map((limb) => limb.slice()));
    for (const [place, value] of this.beyond) copy.beyond.set(place, value);
    return copy;
  }

  /** A limb, with room for so many groups. */
  limb(index: number, groups: number): Float64Array {
    if (groups > this.#room) this.#grow(groups);
    while (this.limbs.length <= index) this.limbs.push(new Float64Array(this.#room));
    return this.limbs[index] as Float64Array;
  }

  add(place: number, value: bigint): void {
    if (value < 0n || value >= BEYOND) {
      this.beyond.set(place, (this.beyond.get(place) ?? 0n) + value);
      return;
    }
    let rest = value;
    for (let index = 0; rest > 0n; index += 1) {
      const limb = this.limb(index, place + 1);
      limb[place] = (limb[place] as number) + Number(BigInt.asUintN(32, rest));
      rest >>= LIMB_BITS;
    }
  }

  /** As `add`, of a whole number that is exact as a double. */
  addSafe(place: number, value: number): void {
    if (value < 0) this.add(place, BigInt(value));
    else {
      const high = Math.floor(value / LIMB);
      const low = this.limb(0, place + 1);
      low[place] = (low[place] as number) + (value - high * LIMB);
      if (high === 0) return;
      const next = this.limb(1, place + 1);
      next[place] = (next[place] as number) + high;
    }
  }

  value(place: number): bigint {
    let sum = 0n;
    for (let index = this.limbs.length - 1; index >= 0; index -= 1) {
      const limb = (this.limbs[index] as Float64Array)[place] ?? 0;
      if (sum !== 0n) sum <<= LIMB_BITS;
      if (limb !== 0) sum += BigInt(limb);
    }
    return this.beyond.size > 0 ? sum + (this.beyond.get(place) ?? 0n) : sum;
  }

  /** The number of a group as a double. */
  about(place: number): number {
    if (this.beyond.size > 0) return Number(this.value(place));
    let sum = 0;
    for (let index = this.limbs.length - 1; index >= 0; index -= 1)
      sum = sum * LIMB + ((this.limbs[index] as Float64Array)[place] ?? 0);
    return sum;
  }

  /** Carries what a limb is too large for to the next one, so that each of a group's is below 2^32. */
  settle(groups: number): void {
    for (let index = 0; index < this.limbs.length; index += 1) {
      const limb = this.limb(index, groups);
      for (let place = 0; place < groups; place += 1) {
        const value = limb[place] as number;
        if (value < LIMB) continue;
        const carry = Math.floor(value / LIMB);
        limb[place] = value - carry * LIMB;
        const next = this.limb(index + 1, groups);
        next[place] = (next[place] as number) + carry;
      }
    }
  }

  #grow(groups: number): void {
    while (this.#room < groups) this.#room *= 2;
    for (const [index, limb] of this.limbs.entries()) {
      const grown = new Float64Array(this.#room);
      grown.set(limb);
      this.limbs[index] = grown;
    }
  }
}
