/** Amounts that stand below one another: all with the same number of decimals, so that their points do, too. */
import { compareDecimal, isDecimal, roundDecimal, sumDecimals } from './decimal.ts';
import { type Language, localeOf, unknown, withMinus } from './number.ts';

/** In EUR and without a plus sign unless said otherwise. */
export interface MoneyStyle {
  currency?: 'EUR' | 'USD';
  /** Differences: what is more than 0 has a sign, too. */
  signed?: boolean;
}

export interface MoneyColumn {
  currency: 'EUR' | 'USD';
  /** Decimals of every amount of the column. */
  digits: number;
  /** The amount as the column shows it; `–` for unknown, `< 0,01 €` for what these decimals would show as 0. */
  text: (amount: string | null) => string;
  /** Whether the amounts as they are shown add up to something other than the sum as it is shown. */
  hidesParts: (parts: Iterable<string | null>, sum: string | null) => boolean;
}

const fewest = 2;
const most = 6;

const sizeOf = (amount: string) => amount.replace('-', '');

/** Decimals that show two digits of an amount that count, or all there are if that is fewer. */
function digitsToSee(size: string): number {
  const fraction = (size.split('.')[1] ?? '').replace(/0+$/, '');
  const zeros = fraction.length - fraction.replace(/^0+/, '').length;
  return compareDecimal(size, '1') >= 0 ? fewest : Math.min(fraction.length, zeros + 2);
}

/** Beside large amounts small ones are not read to the last digit. */
function digitsBeside(largest: string): number {
  if (compareDecimal(largest, '10') >= 0) return fewest;
  return compareDecimal(largest, '1') >= 0 ? 4 : most;
}

/** How many decimals a column with these amounts takes, from 2 to 6. */
function digitsFor(sizes: string[]): number {
  const largest = sizes.reduce((best, size) => (compareDecimal(size, best) > 0 ? size : best), '0');
  const wanted = Math.max(fewest, ...sizes.map(digitsToSee));
  return Math.min(wanted, digitsBeside(largest));
}

/** The way to write a column of amounts (decimal strings, unknown ones null), chosen by all of them. */
export function moneyColumn(
  amounts: Iterable<string | null>,
  language: Language,
  { currency = 'EUR', signed = false }: MoneyStyle = {},
): MoneyColumn {
  const known = [...amounts].filter((amount) => amount !== null && isDecimal(amount));
  const sizes = known
    .map((amount) => sizeOf(String(amount)))
    .filter((size) => compareDecimal(size, '0') !== 0);
  const digits = digitsFor(sizes);
  const smallest = `0.${'1'.padStart(digits, '0')}` as const;
  const format = new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency,
    // `$` in either language.
    currencyDisplay: 'narrowSymbol',
    signDisplay: signed ? 'exceptZero' : 'auto',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const text = (amount: string | null): string => {
    if (amount === null || !isDecimal(amount)) return unknown;
    const isLost = compareDecimal(amount, '0') !== 0 && compareDecimal(sizeOf(amount), smallest) < 0;
    if (!isLost) return withMinus(format.format(amount));
    return amount.startsWith('-')
      ? `>\u00a0${withMinus(format.format(`-${smallest}` as `${number}`))}`
      : `<\u00a0${format.format(smallest as `${number}`)}`;
  };
  const hidesParts = (parts: Iterable<string | null>, sum: string | null) => {
    const shown = sumDecimals([...parts].map((part) => part && roundDecimal(part, digits)));
    return sum !== null && shown !== null && compareDecimal(shown, roundDecimal(sum, digits)) !== 0;
  };
  return { currency, digits, text, hidesParts };
}
