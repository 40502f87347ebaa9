/** What the pages of end customers keep in the URL. */
import { isMonth } from './months.ts';

export { lastMonths } from './months.ts';

export interface MonthSearch {
  /** `YYYY-MM`; the current month when left out. */
  monat?: string | undefined;
  /** The address named a month that means nothing. */
  unlesbar?: 'monat' | undefined;
}

export interface CustomersSearch extends MonthSearch {
  /** Part of a name or reference. */
  suche?: string | undefined;
}

export interface StatementSearch extends MonthSearch {
  /** The reference of the end customer, whatever characters it has. */
  referenz?: string | undefined;
  ansicht?: 'tabelle' | undefined;
}

/** As long as a name or reference may be. */
export const MAX_SEARCH = 120;

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The month of an address. */
export function parseMonth({ monat, unlesbar }: Record<string, unknown>): MonthSearch {
  if (isMonth(monat)) return { monat, unlesbar: undefined };
  const isWrong = monat !== undefined || unlesbar === 'monat';
  return { monat: undefined, unlesbar: isWrong ? 'monat' : undefined };
}

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export const parseCustomersSearch = (raw: Record<string, unknown>): CustomersSearch => ({
  ...parseMonth(raw),
  suche: textOf(raw.suche)?.slice(0, MAX_SEARCH),
});

/** The same for a statement. */
export const parseStatementSearch = (raw: Record<string, unknown>): StatementSearch => ({
  ...parseMonth(raw),
  referenz: textOf(raw.referenz),
  ansicht: raw.ansicht === 'tabelle' ? 'tabelle' : undefined,
});
