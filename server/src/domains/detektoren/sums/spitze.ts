/** Whether an hour stands out among the same hours of the weeks before: exact, no input or output. */
import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({ precision: 120 });

export interface Measure {
  /** How many times the median it must exceed, and the least modified z-score; exact decimals. */
  schwelle: string;
  z: string;
  mindest_eur: string;
}

export interface Spike {
  median: string;
  /** To two decimals; null where the others do not differ. */
  z: string | null;
}

function medianOf(values: Decimal[]): Decimal {
  const sorted = [...values].sort((a, b) => a.cmp(b));
  const middle = sorted.length / 2;
  if (!Number.isInteger(middle)) return sorted[Math.floor(middle)] as Decimal;
  return (sorted[middle - 1] as Decimal).plus(sorted[middle] as Decimal).div(2);
}

/** What makes `value` a spike among `others` (exact decimals, at least one); null when it is none. */
export function spikeOf(
  value: string,
  others: string[],
  { schwelle, z, mindest_eur }: Measure,
): Spike | null {
  const x = new Exact(value);
  if (others.length === 0 || x.lt(mindest_eur)) return null;
  const values = others.map((other) => new Exact(other));
  const median = medianOf(values);
  if (x.lte(median.mul(schwelle))) return null;
  const deviation = medianOf(values.map((other) => other.minus(median).abs()));
  if (deviation.isZero()) return { median: median.toFixed(), z: null };
  const distance = x.minus(median).mul('0.6745');
  // Compared without the division, which may not end.
  if (distance.lt(deviation.mul(z))) return null;
  return { median: median.toFixed(), z: new Exact(distance.div(deviation).toFixed(2)).toFixed() };
}
