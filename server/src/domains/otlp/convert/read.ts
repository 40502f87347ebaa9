/** Reading attributes, whose senders agree on little. */
import { isWithinReason } from '../wire/extent.ts';
import type { Attributes, Value } from '../wire/record.ts';

/** A text that says something, without what cannot be stored. */
export function textIn(value: unknown, most = 500): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).replaceAll('\u0000', '').toWellFormed().trim();
  return text === '' ? null : [...text.slice(0, 2 * most)].slice(0, most).join('');
}

/** A whole count, as number or text; null for what is none (`NaN` is sent, too). */
export function countIn(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}(\.0+)?$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= 0 ? (number as number) : null;
}

/** A number from 0 on. */
export function amountIn(value: unknown): number | null {
  const number =
    typeof value === 'string' && /^\d{1,15}(\.\d+)?([eE]-?\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

/** The first of the named attributes that is a count. */
export function firstCount(attributes: Attributes, names: readonly string[]): number | null {
  for (const name of names) {
    const count = countIn(attributes[name]);
    if (count !== null) return count;
  }
  return null;
}

/** The first of the named attributes that says something. */
export function firstText(attributes: Attributes, names: readonly string[], most?: number): string | null {
  for (const name of names) {
    const text = textIn(attributes[name], most);
    if (text !== null) return text;
  }
  return null;
}

type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Python's way to show a dict, made JSON: its quotes are single ones, where no text has one itself. */
function fromRepr(text: string): unknown {
  const json = text
    .replaceAll(/'((?:[^'\\]|\\.)*)'/g, (_, inner: string) => JSON.stringify(inner.replaceAll("\\'", "'")))
    .replaceAll(/\b(None|nan)\b/g, 'null')
    .replaceAll(/\bTrue\b/g, 'true')
    .replaceAll(/\bFalse\b/g, 'false');
  return JSON.parse(json);
}

/** What a text says in JSON, or as Python shows it; the value itself where it is none; undefined where it cannot be read, or is too dear to be. */
export function parsed(value: Value | undefined): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  const begin = value.trimStart()[0];
  if (begin !== '{' && begin !== '[' && begin !== '"') return undefined;
  if (!isWithinReason(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    try {
      return begin === '"' ? undefined : fromRepr(value);
    } catch {
      return undefined;
    }
  }
}

/** Counts within a text of which no more can be read: the first of each name. */
export function scannedCounts(text: string): Json {
  const found: Json = {};
  for (const [, name, digits] of text.matchAll(/['"]?(\w+)['"]?\s*[:=]\s*(\d{1,15})\b/g))
    found[name as string] ??= Number(digits);
  return found;
}

/** The value at a path of names. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isObject(found)) return undefined;
    found = found[name];
  }
  return found;
}
