/** The months an invoice may be about, and a page may show. */
import { useFormat } from '../../format/use-format.ts';
import { lastMonths } from '../weiterbelastung/search.ts';

/** Months to choose from, at least. */
const OFFERED = 36;

/** From the current local month back, each with its name; those before only as far as the one that is chosen. */
export function useMonths(chosen: string | undefined): { value: string; label: string }[] {
  const format = useFormat();
  const current = format.dayOf(new Date()).slice(0, 7);
  return lastMonths(current, chosen ?? current, OFFERED).map((value) => ({
    value,
    label: format.day(`${value}-01`, 'monthLong'),
  }));
}
