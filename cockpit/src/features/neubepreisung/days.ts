/** The days that can be priced anew: whole months, or any that somebody names. */
import { addDays, type Days, daysOf } from '../verbrauch/index.ts';

export const SPANS = ['monat', 'vormonat', 'jahr', 'eigene'] as const;
export type Span = (typeof SPANS)[number];

/** First and last day of a choice, none after today. Own days in the wrong order can only mean one thing. */
export function chosenDays(span: Span, own: Days, today: string): Days {
  if (span !== 'eigene') {
    const { first, last } = daysOf(span, today);
    return { first, last: last < today ? last : today };
  }
  return own.first <= own.last ? own : { first: own.last, last: own.first };
}

/** Days as the service takes them: the end is the first day that is not meant any more. */
export const toInput = ({ first, last }: Days) => ({ von: first, bis: addDays(last, 1) });

/** The other way round: both days included. */
export const toDays = ({ von, bis }: { von: string; bis: string }): Days => ({
  first: von,
  last: addDays(bis, -1),
});
