/** What cells say: in CSV everything is text, and what has parts is JSON in one. */
import { at, parseJson } from '../json.ts';
import { runIdOf } from '../run-id.ts';

/** Null where nothing is said. */
export function textIn(...values: unknown[]): string | null {
  const found = values.find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? found.trim() : null;
}

/** A count; what is none is unknown, never 0. */
export function countIn(...values: unknown[]): number | null {
  for (const value of values) {
    const text = typeof value === 'string' ? value.trim() : '';
    const number = typeof value === 'number' ? value : text === '' ? Number.NaN : Number(text);
    if (Number.isSafeInteger(number) && number >= 0) return number;
  }
  return null;
}

/** What a call cost, as a plain decimal or one with an exponent; null where nothing of that kind is said. */
export function costIn(...values: unknown[]): string | null {
  const found = values.find((value) => /^\d+(\.\d+)?(e-?\d+)?$/i.test(String(value ?? '').trim()));
  return found === undefined ? null : String(found).trim();
}

/** A part of what may be JSON in a text; undefined where it is none. */
export function partOf(value: unknown, ...path: string[]): unknown {
  if (typeof value !== 'string') return at(value, ...path);
  try {
    return at(parseJson(value), ...path);
  } catch {
    return undefined;
  }
}

const ZONE = /(Z|[+-]\d\d:?\d\d)$/;

/** An instant as ISO 8601: a text, in UTC where it names no zone, or seconds since 1970. Null for what is none. */
export function instantIn(value: unknown): string | null {
  const seconds =
    typeof value === 'number' ? value : /^\d{9,11}(\.\d+)?$/.test(String(value)) ? Number(value) : null;
  if (seconds !== null) return isoOf(seconds * 1000);
  const written = textIn(value)?.replace(' ', 'T').replace(/ UTC$/, 'Z') ?? '';
  // PostgreSQL writes whole hours alone.
  const text = written.replace(/(T.*[+-]\d\d)$/, '$1:00');
  return isoOf(Date.parse(ZONE.test(text) || text === '' ? text : `${text}Z`));
}

const isoOf = (ms: number): string | null => (Number.isNaN(ms) ? null : new Date(ms).toISOString());

/** Milliseconds from one instant to another; null where one is not known, or they are in the wrong order. */
export function between(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 0 ? ms : null;
}

/** The run of a session or trace, under the id that OpenTelemetry and the proxy give it. */
export const runOf = (name: string | null): string | null => (name === null ? null : runIdOf(name));
