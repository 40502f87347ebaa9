/**
 * PostgreSQL's wire form of `numeric`: number of digits, weight of the first, sign, decimals shown, then the digits to the
 * base of 10,000; all of them 16-bit integers. Source: `numeric_recv` in PostgreSQL's `numeric.c`.
 */

const NEGATIVE = 0x4000;
const HEADER = 8;
/** Decimal digits in one digit of the wire form. */
const GROUP = 4;
const ZERO = 48;

/** Most bytes that `writeNumeric` takes for an integer of this many decimal digits, whatever the scale. */
export const numericRoom = (digits: number): number => HEADER + 2 * (Math.ceil(digits / GROUP) + 1);

function writeHeader(view: DataView, at: number, groups: number, weight: number): void {
  view.setInt16(at, groups);
  view.setInt16(at + 2, weight);
  view.setUint16(at + 4, 0);
  view.setUint16(at + 6, 0);
}

const BASE = 10_000;

/**
 * Writes the whole number of these digits to the base of 10,000, the first `count` of them, the highest first; returns how many
 * bytes it took. Zeros at either end do no harm: the server leaves them out.
 */
export function writeDigits(
  view: DataView,
  at: number,
  digits: ArrayLike<number>,
  count: number,
  zeros: number,
  negative = false,
): number {
  writeHeader(view, at, count, count + zeros - 1);
  if (negative && count > 0) view.setUint16(at + 4, NEGATIVE);
  for (let index = 0; index < count; index += 1)
    view.setUint16(at + HEADER + 2 * index, digits[index] as number);
  return HEADER + 2 * count;
}

/** Writes a whole number of up to 2^53, of either sign; returns how many bytes it took. */
export function writeWhole(view: DataView, at: number, value: number): number {
  let rest = Math.abs(value);
  let count = 0;
  for (let left = rest; left > 0; left = Math.floor(left / BASE)) count += 1;
  writeHeader(view, at, count, Math.max(0, count - 1));
  if (value < 0) view.setUint16(at + 4, NEGATIVE);
  for (let index = count - 1; index >= 0; index -= 1) {
    view.setUint16(at + HEADER + 2 * index, rest % BASE);
    rest = Math.floor(rest / BASE);
  }
  return HEADER + 2 * count;
}

/**
 * Writes `scaled` × 10^-`scale` at an offset and returns how many bytes it took. Exact; decimals that are zero at the end
 * are not shown, as in `textOf`.
 */
export function writeNumeric(view: DataView, at: number, scaled: bigint, scale: number): number {
  if (scaled === 0n) {
    writeHeader(view, at, 0, 0);
    return HEADER;
  }
  const digits = (scaled < 0n ? -scaled : scaled).toString();
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1;
  // The digit at `index` stands for 10^(top - index); a group holds four neighbouring powers.
  const top = digits.length - 1 - scale;
  const weight = Math.floor(top / GROUP);
  const groups = weight - Math.floor((top - end + 1) / GROUP) + 1;
  writeHeader(view, at, groups, weight);
  if (scaled < 0n) view.setUint16(at + 4, NEGATIVE);
  view.setUint16(at + 6, Math.max(0, end - 1 - top));
  let index = 0;
  for (let group = 0; group < groups; group += 1) {
    const next = top - GROUP * (weight - group) + 1;
    let value = 0;
    for (; index < next; index += 1) value = value * 10 + (index < end ? digits.charCodeAt(index) - ZERO : 0);
    view.setUint16(at + HEADER + 2 * group, value);
  }
  return HEADER + 2 * groups;
}
