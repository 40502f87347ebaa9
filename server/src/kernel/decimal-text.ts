/**
 * Exact decimals on the hot path: integers scaled by a power of ten, as BigInt. Everywhere else decimals are text, and
 * PostgreSQL `numeric` adds them.
 */

/** `12.5` at scale 3 is 12500n. Throws when the text has more decimals than the scale, or is no plain decimal. */
export function scaledFrom(text: string, scale: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > scale)
    throw new RangeError(`not a decimal of at most ${scale} places: ${text}`);
  return BigInt(match[1] + fraction.padEnd(scale, '0'));
}

/** The plain decimal of a scaled integer: no exponent, no trailing zeros. */
export function textOf(scaled: bigint, scale: number): string {
  const digits = scaled.toString().padStart(scale + 1, '0');
  let end = digits.length;
  const point = digits.length - scale;
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}
