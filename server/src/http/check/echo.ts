/** Which refused values an answer repeats. */
import { isStorable } from './storable.ts';

const MAX_BYTES = 10 * 1024;
const MAX_DEPTH = 64;

/** The rest of the budget after walking the value; negative when it is too large, too deep or unsafe. */
function walk(value: unknown, budget: number, depth: number): number {
  if (typeof value === 'string') {
    return value.length > budget || !isStorable(value) ? -1 : budget - value.length;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? budget - 1 : -1;
  if (typeof value !== 'object' || value === null) return budget - 1;
  if (depth > MAX_DEPTH) return -1;
  let left = budget - 1;
  for (const key in value) {
    left = walk(key, left, depth);
    if (left >= 0) left = walk((value as Record<string, unknown>)[key], left, depth + 1);
    if (left < 0) return -1;
  }
  return left;
}

/** True for values of at most 10 kB as JSON and 64 levels whose text and numbers survive in JSON. */
export function isEchoable(value: unknown): boolean {
  // The walk bounds depth and size first, so that writing the value down can neither overflow nor take long.
  if (walk(value, MAX_BYTES, 1) < 0) return false;
  return new TextEncoder().encode(JSON.stringify(value)).length <= MAX_BYTES;
}

/** Characters of a text that the domain refuses: what is refused is known by its beginning. */
const MOST_SHOWN = 200;

/** The beginning of a long text. */
export const shortText = (text: string): string =>
  text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN).toWellFormed()}…`;

/** What an answer repeats of such a value; undefined for what is too large. */
export function shown(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  return isEchoable(value) ? value : undefined;
}
