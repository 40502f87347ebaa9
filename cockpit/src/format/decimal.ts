/**
 * Exact arithmetic on the decimal strings of the API (`-12.345`, no exponent), as far as the cockpit needs
 * it: compare, add, subtract. BigInt scaled to the longer fraction, so nothing is ever rounded.
 */

/** What `Intl.NumberFormat` accepts as an exact number. */
export type DecimalString = Intl.StringNumericLiteral;

const plain = /^-?\d+(\.\d+)?$/;

/** Whether a text is a plain decimal number. */
export function isDecimal(text: string): text is DecimalString {
  return plain.test(text);
}

function fractionDigits(value: string): number {
  const point = value.indexOf('.');
  return point < 0 ? 0 : value.length - point - 1;
}

function scaled(value: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

function unscaled(value: bigint, digits: number): string {
  const sign = value < 0n ? '-' : '';
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}

/** Negative, zero or positive, as `Array.prototype.sort` wants it. */
export function compareDecimal(a: string, b: string): number {
  const digits = Math.max(fractionDigits(a), fractionDigits(b));
  const difference = scaled(a, digits) - scaled(b, digits);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact sum as a plain decimal string. */
export function addDecimal(a: string, b: string): string {
  const digits = Math.max(fractionDigits(a), fractionDigits(b));
  return unscaled(scaled(a, digits) + scaled(b, digits), digits);
}

/** Rounded to a number of decimals, halves away from zero, as `Intl.NumberFormat` shows them. */
export function roundDecimal(value: string, digits: number): string {
  const more = fractionDigits(value) - digits;
  if (more <= 0) return value;
  const unit = 10n ** BigInt(more);
  const exact = scaled(value, digits + more);
  const size = exact < 0n ? -exact : exact;
  const rounded = (size + unit / 2n) / unit;
  return unscaled(exact < 0n ? -rounded : rounded, digits);
}

/** The exact sum of the known values; null when not one is known. */
export function sumDecimals(values: Iterable<string | null>): string | null {
  let sum: string | null = null;
  for (const value of values) {
    if (value !== null) sum = sum === null ? value : addDecimal(sum, value);
  }
  return sum;
}

/**
 * The change from `before` to `now` in tenths of a percent, rounded toward zero; null when there is nothing
 * to compare with (unknown, or zero before).
 */
export function changePermille(now: string | null, before: string | null): number | null {
  if (now === null || before === null) return null;
  const digits = Math.max(fractionDigits(now), fractionDigits(before));
  const base = scaled(before, digits);
  if (base === 0n) return null;
  return Number(((scaled(now, digits) - base) * 1000n) / (base < 0n ? -base : base));
}
