/** Integers and booleans as Pydantic v2 reads them. Readers return the value or the refusal. */
import type { Node } from '#contracts';
import { Refusal } from './faults.ts';

/** Python itself converts no longer text than this. */
const MAX_DIGITS = 4300;
const INTEGER = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;

/** Without white space around it. `trim()` would also take byte-order marks; no number has one. */
export const stripped = (text: string): string => (text.includes('\ufeff') ? text : text.trim());

function integerOf(value: unknown): number | Refusal {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return new Refusal('finite_number');
    return Number.isInteger(value) ? value : new Refusal('int_from_float');
  }
  if (typeof value !== 'string') return new Refusal('int_type');
  const text = stripped(value);
  if (text.length > MAX_DIGITS) return new Refusal('int_parsing_size');
  // Beyond 2^53 the number is rounded, beyond 10^308 infinite: either way the bounds refuse it.
  return INTEGER.test(text) ? Number(text.replaceAll('_', '')) + 0 : new Refusal('int_parsing');
}

/** Makes the reader of an integer. Without bounds of its own it still stays within what a number counts exactly. */
export function integerReader({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: Node) {
  return (value: unknown): unknown => {
    const integer = integerOf(value);
    if (integer instanceof Refusal) return integer;
    if (integer < minimum) return new Refusal('greater_than_equal', { ge: minimum });
    return integer > maximum ? new Refusal('less_than_equal', { le: maximum }) : integer;
  };
}

const WORDS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...['1', 't', 'true', 'y', 'yes', 'on', 1].map((word) => [word, true] as const),
  ...['0', 'f', 'false', 'n', 'no', 'off', 0].map((word) => [word, false] as const),
]);

export function readBoolean(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  const isText = typeof value === 'string';
  if (!isText && !Number.isSafeInteger(value)) return new Refusal('bool_type');
  return WORDS.get(isText ? value.toLowerCase() : value) ?? new Refusal('bool_parsing');
}
