/** Which month a page shows, and how it stands. */
import { useQuery } from '@tanstack/react-query';
import { letzteMonateQuery } from '../../api/queries.ts';
import type { Abrechnungsmonat } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { monthsBetween } from './months.ts';
import type { MonthSearch } from './search.ts';

/** As many months as the service looks up at once; those before are closed from the list of months. */
const MAX_BACK = 36;

/** The current local month. */
export const useCurrentMonth = (): string => useFormat().dayOf(new Date()).slice(0, 7);

/** The month of an address, the current one where it names none that has begun. */
export function useMonth({ monat, unlesbar }: MonthSearch): { month: string; isWrong: boolean } {
  const current = useCurrentMonth();
  const isAhead = monat !== undefined && monat > current;
  return { month: isAhead ? current : (monat ?? current), isWrong: isAhead || unlesbar !== undefined };
}

interface MonthState {
  /** Undefined while it is asked for, and for a month that is not in the list. */
  of: Abrechnungsmonat | undefined;
  error: unknown;
}

/** What is known of a month beside its end customers; asked for only where `enabled`. */
export function useMonthState(month: string, enabled: boolean): MonthState {
  const current = useCurrentMonth();
  const back = monthsBetween(month, current);
  const { data, error } = useQuery({
    ...letzteMonateQuery(back + 1),
    enabled: enabled && back >= 0 && back <= MAX_BACK,
  });
  return { of: data?.monate.find(({ monat }) => monat === month), error };
}
