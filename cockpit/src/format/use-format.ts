/** The formatters, bound to the language of the reader and the time zone of the Mandant. */
import { createContext, useContext, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type AxisKind, axisOf } from './axis.ts';
import { type DateStyle, dayOf, formatAgo, formatDay, formatDays, formatInstant } from './date.ts';
import { moneyColumn } from './money-column.ts';
import * as number from './number.ts';

/** IANA name of the Mandant's time zone; the browser's own before anybody is signed in. */
export const ZoneContext = createContext(Intl.DateTimeFormat().resolvedOptions().timeZone);

function bind(language: number.Language, zone: string) {
  return {
    language,
    zone,
    money: (amount: string | null, currency?: string) => number.formatMoney(amount, language, currency),
    moneyExact: (amount: string | null, currency?: string) =>
      number.formatMoneyExact(amount, language, currency),
    moneyColumn: (amounts: Iterable<string | null>) => moneyColumn(amounts, language),
    axis: (highest: number, kind: AxisKind) => axisOf(highest, kind, language),
    decimal: (value: string | null) => number.formatDecimal(value, language),
    count: (count: number | null) => number.formatCount(count, language),
    countShort: (count: number) => number.formatCountShort(count, language),
    change: (permille: number) => number.formatChange(permille, language),
    share: (part: number, whole: number) => number.formatShare(part, whole, language),
    duration: (ms: number | null) => number.formatDuration(ms, language),
    instant: (instant: string | Date, style: DateStyle) => formatInstant(instant, style, language, zone),
    day: (day: string, style: 'day' | 'dayShort' | 'dayTick' = 'day') => formatDay(day, style, language),
    days: (first: string, last: string) => formatDays(first, last, language),
    dayOf: (instant: string | Date) => dayOf(instant, zone),
    ago: (instant: string, now: Date) => formatAgo(instant, language, now),
  };
}

export type Format = ReturnType<typeof bind>;

export function useFormat(): Format {
  const { i18n } = useTranslation();
  const zone = useContext(ZoneContext);
  const language = i18n.language === 'en' ? 'en' : 'de';
  return useMemo(() => bind(language, zone), [language, zone]);
}
