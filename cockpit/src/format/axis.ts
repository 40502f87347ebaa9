/** The labels of a scale that begins at 0. Its values are positions in a picture, not amounts that were counted. */
import type { DecimalString } from './decimal.ts';
import { type Language, localeOf } from './number.ts';

export interface Axis {
  /** Equally spaced round values from 0 on, each with its label. */
  ticks: { value: number; label: string }[];
  /** The last of them: nothing is higher. */
  top: number;
}

/** What is measured; money in EUR. */
export type AxisKind = 'money' | 'count';

const mostSteps = 5;
const mantissas = [1, 2, 5] as const;

/** A step of 1, 2 or 5 times a power of ten. */
interface Step {
  mantissa: number;
  exponent: number;
}

/** The smallest step that needs no more than five of its kind to reach as high. */
function stepFor(highest: number, kind: AxisKind): Step {
  const lowest = Math.floor(Math.log10(highest)) - 1;
  for (let exponent = kind === 'count' ? Math.max(lowest, 0) : lowest; ; exponent++) {
    for (const mantissa of mantissas) {
      if (highest <= Number(`${mostSteps * mantissa}e${exponent}`)) return { mantissa, exponent };
    }
  }
}

/** From a million on numbers are said in millions, milliards …: the exponent of that unit, 0 below. */
const unitOf = (top: number) => (top < 1e6 ? 0 : Math.floor(Math.log10(top) / 3) * 3);

/** Writes numbers in one unit, with a fixed number of decimals; 0 with none, and without the unit. */
function writer(unit: number, decimals: number, kind: AxisKind, language: Language) {
  const money = kind === 'money' ? ({ style: 'currency', currency: 'EUR' } as const) : {};
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const plain = new Intl.NumberFormat(localeOf(language), { ...money, ...digits });
  const zero = new Intl.NumberFormat(localeOf(language), { ...money, maximumFractionDigits: 0 });
  // `Intl` chooses the unit by the number; so that all labels have the same, one number says how it is written.
  const model = new Intl.NumberFormat(localeOf(language), { ...money, notation: 'compact' });
  const parts = model.formatToParts(`1e${unit}` as DecimalString);
  const bare = new Intl.NumberFormat(localeOf(language), digits);
  return (value: DecimalString) => {
    if (Number(value) === 0) return zero.format(0);
    if (unit === 0) return plain.format(value);
    return parts.map((part) => (part.type === 'integer' ? bare.format(value) : part.value)).join('');
  };
}

/**
 * A scale up to `highest` or a little more, with at most five steps. Labels have exactly as many decimals as tell them
 * apart, and all the same unit.
 */
export function axisOf(highest: number, kind: AxisKind, language: Language): Axis {
  if (!(highest > 0)) return { ticks: [{ value: 0, label: writer(0, 0, kind, language)('0') }], top: 1 };
  const { mantissa, exponent } = stepFor(highest, kind);
  // Against what dividing leaves behind: 0.3 is three steps of 0.1.
  const steps = Math.ceil(highest / Number(`${mantissa}e${exponent}`) - 1e-9);
  const top = Number(`${steps * mantissa}e${exponent}`);
  const unit = unitOf(top);
  const write = writer(unit, Math.max(0, unit - exponent), kind, language);
  const ticks = Array.from({ length: steps + 1 }, (_, index) => ({
    value: Number(`${index * mantissa}e${exponent}`),
    label: write(`${index * mantissa}e${exponent - unit}` as DecimalString),
  }));
  return { ticks, top };
}
