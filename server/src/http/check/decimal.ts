/** Exact decimals as Pydantic v2 reads them; the result is a plain decimal string, never a float. */
import { Decimal } from 'decimal.js';
import type { DecimalBounds } from '#contracts';
import { Refusal } from './faults.ts';
import { stripped } from './scalars.ts';

/** Longer ones are no amounts of anything, and `1e999999999` written out would fill the memory. */
const MAX_WHOLE_DIGITS = 40;
const MAX_PLACES = 40;

// Exponents of up to 15 digits are within what the library represents exactly.
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,15})?$/i;
const NOT_FINITE = /^[+-]?(?:inf(?:inity)?|s?nan\d*)$/i;

function parse(value: unknown): Decimal | Refusal {
  if (typeof value !== 'string' && typeof value !== 'number') return new Refusal('decimal_type');
  // Python ignores underscores wherever they stand.
  const text = stripped(String(value)).replaceAll('_', '');
  if (NOT_FINITE.test(text)) return new Refusal('finite_number');
  return NUMBER.test(text) ? new Decimal(text) : new Refusal('decimal_parsing');
}

/** Makes the reader of a decimal: `-12.5`, or the refusal. */
export function decimalReader({ min, max }: DecimalBounds) {
  return (value: unknown): unknown => {
    const decimal = parse(value);
    if (decimal instanceof Refusal) return decimal;
    if (min !== undefined && decimal.lt(min)) return new Refusal('greater_than_equal', { ge: Number(min) });
    if (max !== undefined && decimal.gt(max)) return new Refusal('less_than_equal', { le: Number(max) });
    if (decimal.e >= MAX_WHOLE_DIGITS)
      return new Refusal('decimal_whole_digits', { whole_digits: MAX_WHOLE_DIGITS });
    if (decimal.decimalPlaces() > MAX_PLACES)
      return new Refusal('decimal_max_places', { decimal_places: MAX_PLACES });
    return decimal.isZero() ? '0' : decimal.toFixed();
  };
}
