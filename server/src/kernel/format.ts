/** Numbers, amounts and days as people read them in what the service writes. No-break spaces keep a number and its unit together. */
import type { Language } from './sentence.ts';

/** `en-GB`, as in the cockpit: days before months. */
const LOCALES: Record<Language, string> = { de: 'de-DE', en: 'en-GB' };

const both = <T>(make: (locale: string) => T): Record<Language, T> => ({
  de: make(LOCALES.de),
  en: make(LOCALES.en),
});
const EUR = both((locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }));
const COUNT = both((locale) => new Intl.NumberFormat(locale));
const PERCENT = both(
  (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', maximumFractionDigits: 40 }),
);
const inUtc = (options: Intl.DateTimeFormatOptions) =>
  both((locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }));
const DAY = inUtc({ dateStyle: 'long' });
const MONTH = inUtc({ month: 'long', year: 'numeric' });

/** The minus sign of typography, as wide as a digit; `Intl` writes a hyphen. */
const withMinus = (text: string) => text.replace('-', '\u2212');

// Intl reads decimals as they are written: nothing becomes a float.
const exactly = (decimal: string) => decimal as Intl.StringNumericLiteral;

/** A plain decimal in EUR to the cent, half-up: `1.234,56 €`, `−0,50 €`. */
export const euroText = (amount: string, language: Language): string =>
  withMinus(EUR[language].format(exactly(amount)));

/** A whole number of any size: `1.234.567`. */
export const countText = (count: number | string, language: Language): string =>
  withMinus(COUNT[language].format(typeof count === 'string' ? exactly(count) : count));

/** A plain decimal in percent with all its places: `12,5 %`. */
export const percentText = (percent: string, language: Language): string =>
  withMinus(PERCENT[language].format(exactly(percent)));

/** A local day, YYYY-MM-DD: `5. Oktober 2026`. */
export const dayText = (day: string, language: Language): string =>
  DAY[language].format(new Date(`${day}T00:00:00Z`));

/** A month, YYYY-MM: `Oktober 2026`. */
export const monthText = (month: string, language: Language): string =>
  MONTH[language].format(new Date(`${month}-01T00:00:00Z`));
