/** Values the database can keep: text without NUL and lone surrogates, finite numbers, nesting within reason. */

/** Levels of nesting a free object may have, itself included. */
export const MAX_DEPTH = 64;

/** False for text with NUL (U+0000) or a lone surrogate; PostgreSQL refuses both. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function every(value: unknown, accept: (leaf: unknown) => boolean, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return accept(value);
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => every(item, accept, levels - 1));
  for (const key in value) {
    if (!accept(key) || !every((value as Record<string, unknown>)[key], accept, levels - 1)) return false;
  }
  return true;
}

const isFiniteLeaf = (leaf: unknown) => typeof leaf !== 'number' || Number.isFinite(leaf);
const isStorableLeaf = (leaf: unknown) => typeof leaf !== 'string' || isStorable(leaf);

/** True when the free object nests within the bound and holds finite numbers only. Its text is not looked at. */
export const isTame = (record: unknown): boolean => every(record, isFiniteLeaf, MAX_DEPTH);

/** True when every text in the value, keys included, is storable. Also false for values nested absurdly deep. */
export const holdsStorableText = (value: unknown): boolean => every(value, isStorableLeaf, 2 * MAX_DEPTH);
