/** A decimal number without loss: `units` of 10^-scale. */
export interface Exact {
  units: bigint;
  scale: number;
}

const NUMBER = /^(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/i;

/** The number that a text without sign writes, null where it writes none. */
export function exact(written: string): Exact | null {
  const [, whole, decimals = '', exponent = '0'] = NUMBER.exec(written) ?? [];
  if (whole === undefined) return null;
  const scale = decimals.length - Number(exponent);
  const units = BigInt(whole + decimals);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

const unitsAt = ({ units, scale }: Exact, wanted: number): bigint => units * 10n ** BigInt(wanted - scale);

export function plus(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

/** Half a unit of the last place goes up. */
function rounded(number: Exact, decimals: number): Exact {
  if (number.scale <= decimals) return number;
  const step = 10n ** BigInt(number.scale - decimals);
  return { units: (number.units + step / 2n) / step, scale: decimals };
}

/** Decimal text without exponent and without zeros at its end, with this many decimals at most. */
export function written(number: Exact, decimals: number): string {
  const { units, scale } = rounded(number, decimals);
  const digits = String(units).padStart(scale + 1, '0');
  const split = digits.length - scale;
  const fraction = digits.slice(split).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, split) : `${digits.slice(0, split)}.${fraction}`;
}
