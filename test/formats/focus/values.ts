/** Values of FOCUS as text: what a number, an instant, a currency, an object is. */
import { scaledFrom } from '#kernel/money.ts';
import type { Type } from './columns.ts';

const NUMBER = /^-?\d+(\.\d+)?(E-?\d+)?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

function isInstant(text: string): boolean {
  try {
    // 24:00 and leap seconds are read as another time, hence the comparison.
    return INSTANT.test(text) && Temporal.Instant.from(text).toString() === text;
  } catch {
    return false;
  }
}

/** An object whose values are neither objects nor lists. */
function isFlatObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
    return Object.values(value).every((each) => each === null || typeof each !== 'object');
  } catch {
    return false;
  }
}

const CHECKS: Record<Type, (text: string) => boolean> = {
  text: (text) => text.trim() !== '',
  decimal: (text) => NUMBER.test(text),
  instant: isInstant,
  currency: (text) => /^[A-Z]{3}$/.test(text),
  object: isFlatObject,
};

/** Whether a cell that is not empty holds a value of the type. */
export const isOfType = (text: string, type: Type): boolean => CHECKS[type](text);

const places = (text: string): number => text.split('.')[1]?.length ?? 0;

/** Whether the first times the second is the third, exactly; null where one of them is no plain decimal. */
export function isProduct(first: string, second: string, product: string): boolean | null {
  if ([first, second, product].some((text) => !/^-?\d+(\.\d+)?$/.test(text))) return null;
  const [a, b] = [places(first), places(second)];
  const scale = Math.max(a + b, places(product));
  return (
    scaledFrom(first, a) * scaledFrom(second, b) * 10n ** BigInt(scale - a - b) === scaledFrom(product, scale)
  );
}
