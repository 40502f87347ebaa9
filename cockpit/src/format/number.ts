/** Numbers and money as people read them. Amounts come in as decimal strings and are never made floats. */
import { compareDecimal, isDecimal } from './decimal.ts';

export type Language = 'de' | 'en';

/** `en-GB` because the cockpit shows 24-hour times and days before months in either language. */
export const localeOf = (language: Language) => (language === 'de' ? 'de-DE' : 'en-GB');

/** Shown where a value is unknown; unknown is never 0. */
export const unknown = '–';

/** The minus sign of typography; `Intl` writes a hyphen. */
export const withMinus = (text: string) => text.replace('-', '\u2212');

const cent = '0.01';
const smallest = '0.000001';

function digitsFor(amount: string): number {
  const size = amount.replace('-', '');
  const belowCent = compareDecimal(size, cent) < 0 && compareDecimal(size, '0') !== 0;
  return belowCent ? 6 : 2;
}

/**
 * An amount in EUR (or another currency): two digits, below one cent six (so that they stand below one another), below
 * a millionth `< 0,000001 €`; `–` for unknown.
 */
export function formatMoney(amount: string | null, language: Language, currency = 'EUR'): string {
  if (amount === null || !isDecimal(amount)) return unknown;
  const digits = digitsFor(amount);
  const format = new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency,
    // `$` in either language; the other is `US$` in English.
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const size = amount.replace('-', '');
  if (digits === 6 && compareDecimal(size, smallest) < 0) {
    return `${amount.startsWith('-') ? '>\u00a0\u2212' : '<\u00a0'}${format.format(smallest)}`;
  }
  return withMinus(format.format(amount));
}

/** An amount with every digit the service knows, for tooltips and details. */
export function formatMoneyExact(amount: string | null, language: Language, currency = 'EUR'): string {
  if (amount === null || !isDecimal(amount)) return unknown;
  return new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 20,
  }).format(amount);
}

/** A plain decimal with all its digits, e.g. a rate. */
export function formatDecimal(value: string | null, language: Language): string {
  if (value === null || !isDecimal(value)) return unknown;
  return new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 20 }).format(value);
}

/** A count with thousands separators; `–` for unknown. */
export function formatCount(count: number | null, language: Language): string {
  return count === null ? unknown : new Intl.NumberFormat(localeOf(language)).format(count);
}

/** A count for narrow places: `12,3 Mio.` from ten million on, exact below. */
export function formatCountShort(count: number | null, language: Language): string {
  if (count === null || count < 10_000_000) return formatCount(count, language);
  return new Intl.NumberFormat(localeOf(language), { notation: 'compact', maximumFractionDigits: 1 }).format(
    count,
  );
}

/** By how much a count changes: `+12`, `−3`, `0`. */
export function formatCountChange(change: number, language: Language): string {
  return withMinus(new Intl.NumberFormat(localeOf(language), { signDisplay: 'exceptZero' }).format(change));
}

/** A change in tenths of a percent as `+12,3 %`; from ten-fold on without digits. */
export function formatChange(permille: number, language: Language): string {
  const format = new Intl.NumberFormat(localeOf(language), {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: Math.abs(permille) >= 1000 ? 0 : 1,
  });
  return withMinus(format.format(permille / 1000));
}

/** A share of a whole, both counts, as `12,3 %`; `–` when the whole is 0. */
export function formatShare(part: number, whole: number, language: Language): string {
  if (whole === 0) return unknown;
  return new Intl.NumberFormat(localeOf(language), { style: 'percent', maximumFractionDigits: 1 }).format(
    part / whole,
  );
}

/** Milliseconds as `840 ms`, `12,4 s`, `3 min 05 s`, `2 h 07 min`; `–` for unknown. */
export function formatDuration(ms: number | null, language: Language): string {
  if (ms === null) return unknown;
  if (ms < 1000) return `${formatCount(ms, language)}\u00a0ms`;
  if (ms < 60_000) {
    const seconds = new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 1 });
    return `${seconds.format(Math.floor(ms / 100) / 10)}\u00a0s`;
  }
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes}\u00a0min ${two(Math.floor((ms % 60_000) / 1000))}\u00a0s`;
  return `${formatCount(Math.floor(minutes / 60), language)}\u00a0h ${two(minutes % 60)}\u00a0min`;
}

/** Bytes in the unit that reads best, counted in thousands as file managers do: `12,4 MB`. */
export function formatSize(bytes: number, language: Language): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const format = new Intl.NumberFormat(localeOf(language), {
    style: 'unit',
    unit: units[power] ?? 'byte',
    maximumFractionDigits: power < 2 ? 0 : 1,
  });
  return format.format(bytes / 1000 ** power).replace(' ', '\u00a0');
}
