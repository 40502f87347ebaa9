/** The value under a path of keys, undefined where any step is missing. */
export function at(value: unknown, ...path: string[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

/** No object at all has these. */
const NO_MEMBERS: Readonly<Record<string, unknown>> = {};

/** The members of an object; none of anything else. What is read of every piece of a stream is read by its name, which is quicker than `at`. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : NO_MEMBERS;
}

/** A number under a key that speaks of costs. What lies between two strings holds no letter of such a key. */
const AMOUNT = /("[^"\\]*cost[^"\\]*"\s*:\s*)(-?\d[\d.eE+-]*)/g;

/**
 * The value of a JSON text. Numbers under a key that speaks of costs are texts with the digits that were sent, since a float may not
 * hold them. Throws where it is no JSON.
 */
export function parseJson(json: string): unknown {
  return JSON.parse(json.includes('cost') ? json.replace(AMOUNT, '$1"$2"') : json);
}

/** A token count: a safe integer from 0 up, else null (a provider's `28.0` is 28, `-1` and `"28"` are unknown). */
export function count(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** A text that can be stored (no NUL, no lone surrogate), null where it is empty or no text. */
export function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value.replaceAll('\0', '').toWellFormed() || null;
}

/** The value if it is an array, else an empty one. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What `pick` finds in the first part that has it. */
export function first<T>(parts: unknown[], pick: (part: unknown) => T | null): T | null {
  for (const part of parts) {
    const found = pick(part);
    if (found !== null) return found;
  }
  return null;
}

/** What `pick` finds in the last part that has it: streams repeat running counts, and the last one is the total. */
export function last<T>(parts: unknown[], pick: (part: unknown) => T | null): T | null {
  return first(parts.toReversed(), pick);
}

/** The object under a path, null where there is none. */
export function objectAt(value: unknown, ...path: string[]): object | null {
  const found = at(value, ...path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : null;
}
