/** The view of a page with figures, and the ways to change it. */
import { useMatch } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { useFormat } from '../../format/use-format.ts';
import { usePreferences } from '../../preferences.ts';
import { askedBy, type Filter, filterOf, rememberView, type ViewSearch } from './view.ts';
import { addDays, daysOf } from './zeitraum.ts';

export interface View {
  zeitraum: string;
  filter: Filter | null;
  /** The filter as the service takes it. */
  werte: Partial<Record<Filter['dimension'], string>>;
  compares: boolean;
  /** The days of the period as the service takes them, the second one exclusive. */
  von: string;
  bis: string;
}

/** What the search of a page with figures says, remembered for the next one. */
export function useView(search: ViewSearch): View {
  const format = useFormat();
  // Whether figures are asked for again is settled anew when it is changed.
  usePreferences();
  const { zeitraum, werte } = askedBy(search);
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  useLayoutEffect(() => rememberView(search, pathname), [search, pathname]);
  const { first, last } = daysOf(zeitraum, format.dayOf(new Date()));
  return {
    zeitraum,
    filter: filterOf(search),
    werte,
    compares: search.vergleich !== 'aus',
    von: first,
    bis: addDays(last, 1),
  };
}
