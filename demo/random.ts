/** A seeded random source: what the demo makes up has to be the same after every start. */

export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** Whether something of probability `p` happens. */
  chance(p: number): boolean;
  /** Whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** Positive whole number around a median; `spread` is the standard deviation of its logarithm. */
  around(median: number, spread: number): number;
  pick<T>(list: readonly T[]): T;
  /** One of the values, by the weights that stand before them. */
  weighted<T>(list: readonly (readonly [number, T])[]): T;
  /** 32 random bits. */
  bits(): number;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** mulberry32: 32 bits of state, good enough for what only has to look random. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  };
}

const RANGE = 2 ** 32;

export function createRandom(seed: string): Random {
  const bits = mulberry32(hash(seed));
  const next = () => bits() / RANGE;
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    bits,
    chance: (p) => next() < p,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    around: (median, spread) => Math.max(1, Math.round(median * Math.exp(spread * normal()))),
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
    weighted(list) {
      const total = list.reduce((sum, [weight]) => sum + weight, 0);
      let left = next() * total;
      const found = list.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? list[0])?.[1] as (typeof list)[number][1];
    },
  };
}
