/** Figures as people read them, in German and English. Amounts stay the decimals they are: nothing becomes a float. */
import { type Eur, eurFrom, minus } from '#kernel/money.ts';
import type { Language } from '#kernel/sentence.ts';
import { growth } from '../rules.ts';

const LOCALES = { de: 'de-DE', en: 'en-GB' } as const;
const literal = (decimal: string) => decimal as Intl.StringNumericLiteral;

const EURO = { style: 'currency', currency: 'EUR' } as const;
const formats = (language: Language) => {
  const locale = LOCALES[language];
  return {
    euro: new Intl.NumberFormat(locale, EURO),
    small: new Intl.NumberFormat(locale, { ...EURO, maximumSignificantDigits: 2 }),
    number: new Intl.NumberFormat(locale),
    share: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
    // As many places as it has: what is rounded down stays so.
    percent: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }),
    growth: new Intl.NumberFormat(locale, {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    }),
  };
};
const FORMATS = { de: formats('de'), en: formats('en') };

const UNKNOWN = { de: 'unbekannt', en: 'unknown' };
const UNDER = { de: 'unter', en: 'under' };
const LEAST = { cent: eurFrom('0.01'), shown: eurFrom('0.0001') };

export interface Figures {
  /** An amount in EUR to the cent, one below a cent with two digits that count; null is said to be unknown. */
  euro(amount: string | null): string;
  /** The same with its sign. */
  more(amount: string): string;
  count(count: number | bigint): string;
  /** Percent, as a decimal with a point: 30.2. */
  percent(percent: string): string;
  /** A share as a decimal: 0.25 is 25 percent. */
  share(share: string): string;
  /** By how much more than `before`: `+12,5 %`; null of nothing, and where one of them is unknown. */
  growth(now: string | null, before: string | null): string | null;
  /** A local day `YYYY-MM-DD`: `Mo., 9.11.`. */
  day(day: string): string;
  /** A local day in full. */
  date(day: string): string;
  /** A local time, ISO 8601 with offset or in UTC, in this zone. */
  moment(instant: string, zone: string): string;
  /** `2026-11` as `November 2026`. */
  month(month: string): string;
}

function euroOf(language: Language, amount: string): string {
  const { euro, small } = FORMATS[language];
  const exact = eurFrom(amount);
  const size = (exact < 0n ? -exact : exact) as Eur;
  if (size === 0n || size >= LEAST.cent) return euro.format(literal(amount));
  if (size >= LEAST.shown) return small.format(literal(amount));
  return `${UNDER[language]} ${small.format(literal('0.0001'))}`;
}

function growthOf(language: Language, now: string | null, before: string | null): string | null {
  if (now === null || before === null) return null;
  const part = growth(eurFrom(now), eurFrom(before));
  return part === null ? null : FORMATS[language].growth.format(literal(part));
}

/** A day at noon in UTC: the same day wherever it is shown. */
const noon = (day: string) => new Date(`${day}T12:00:00Z`);
const UTC = { timeZone: 'UTC' } as const;

export function figuresIn(language: Language): Figures {
  const locale = LOCALES[language];
  const { number, percent, share } = FORMATS[language];
  const short = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'numeric',
    ...UTC,
  });
  const long = new Intl.DateTimeFormat(locale, { dateStyle: 'long', ...UTC });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', ...UTC });
  return {
    euro: (amount) => (amount === null ? UNKNOWN[language] : euroOf(language, amount)),
    more: (amount) =>
      amount.startsWith('-') ? `−${euroOf(language, amount.slice(1))}` : `+${euroOf(language, amount)}`,
    count: (count) => number.format(count),
    // Two places further to the left, as text.
    percent: (text) => percent.format(literal(`${text}e-2`)),
    share: (text) => share.format(literal(text)),
    growth: (now, before) => growthOf(language, now, before),
    day: (day) => short.format(noon(day)),
    date: (day) => long.format(noon(day)),
    moment: (instant, timeZone) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
        new Date(instant),
      ),
    month: (text) => month.format(noon(`${text}-15`)),
  };
}

/** How long a bar is beside the longest one, in whole percent: at least 1 where there is anything. */
export function barOf(amount: string | null, most: Eur): number {
  const size = eurFrom(amount ?? '0');
  if (size <= 0n || most <= 0n) return 0;
  const percent = Number((size * 100n) / most);
  return Math.max(1, Math.min(100, percent));
}

/** The largest of these amounts, 0 of none; unknown ones count as nothing. */
export const largestOf = (amounts: (string | null)[]): Eur =>
  amounts
    .map((amount) => eurFrom(amount ?? '0'))
    .reduce((most, each) => (each > most ? each : most), eurFrom('0'));

/** What was spent by now compared with before, as a difference; null where one of them is unknown. */
export const differenceOf = (now: string | null, before: string | null): Eur | null =>
  now === null || before === null ? null : minus(eurFrom(now), eurFrom(before));
