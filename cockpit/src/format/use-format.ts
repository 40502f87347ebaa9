/**
 * The formatters, bound to the language of the reader and to two time zones: days, hours of a report and whatever else belongs to
 * figures are those of the Mandant; single instants (a run, a step, a login) are shown in the zone the user chose.
 */
import { createContext, useContext, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type AxisKind, axisOf } from './axis.ts';
import { type DateStyle, dayOf, formatAgo, formatDay, formatDays, formatInstant } from './date.ts';
import { type MoneyStyle, moneyColumn } from './money-column.ts';
import * as number from './number.ts';

/** IANA name of the Mandant's time zone; the browser's own before anybody is signed in. */
export const ZoneContext = createContext(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** IANA name of the zone the user chose for instants; null for that of the Mandant. */
export const UserZoneContext = createContext<string | null>(null);

function bind(language: number.Language, zone: string, ownZone: string) {
  return {
    language,
    zone,
    money: (amount: string | null, currency?: string) => number.formatMoney(amount, language, currency),
    moneyExact: (amount: string | null, currency?: string) =>
      number.formatMoneyExact(amount, language, currency),
    moneyColumn: (amounts: Iterable<string | null>, style?: MoneyStyle) =>
      moneyColumn(amounts, language, style),
    axis: (highest: number, kind: AxisKind) => axisOf(highest, kind, language),
    decimal: (value: string | null) => number.formatDecimal(value, language),
    count: (count: number | null) => number.formatCount(count, language),
    countShort: (count: number | null) => number.formatCountShort(count, language),
    countChange: (change: number) => number.formatCountChange(change, language),
    change: (permille: number) => number.formatChange(permille, language),
    share: (part: number, whole: number) => number.formatShare(part, whole, language),
    duration: (ms: number | null) => number.formatDuration(ms, language),
    instant: (instant: string | Date, style: DateStyle) => formatInstant(instant, style, language, ownZone),
    day: (day: string, style: 'day' | 'dayShort' | 'dayTick' | 'month' | 'monthLong' = 'day') =>
      formatDay(day, style, language),
    days: (first: string, last: string) => formatDays(first, last, language),
    dayOf: (instant: string | Date) => dayOf(instant, zone),
    ago: (instant: string, now: Date) => formatAgo(instant, language, now),
  };
}

export type Format = ReturnType<typeof bind>;

function useBound(ownZone: string | null): Format {
  const { i18n } = useTranslation();
  const zone = useContext(ZoneContext);
  const language = i18n.language === 'en' ? 'en' : 'de';
  return useMemo(() => bind(language, zone, ownZone ?? zone), [language, zone, ownZone]);
}

export const useFormat = (): Format => useBound(useContext(UserZoneContext));

/** For the hours of a report: they are those of the Mandant for every reader, as the figures are. */
export const useReportFormat = (): Format => useBound(null);
