/** Seeded randomness: the same seed gives the same course of a test, as far as the machine allows. */
export interface Random {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  /** A version 4 UUID. */
  uuid(): string;
}

/** Marsaglia's xorshift with 32 bits of state. */
export function createRandom(seed: number): Random {
  let state = seed || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    uuid() {
      const hex = Array.from({ length: 4 }, () => next().toString(16).padStart(8, '0')).join('');
      const variant = '89ab'[below(4)];
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
