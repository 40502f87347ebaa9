/** Which of the prices of an entry holds at an instant: the last one whose constraint does. */
import type { ListPrices } from '../rates.ts';
import type { PriceConstraint, SupplementPrices } from './schema.ts';

function holds(constraint: PriceConstraint | undefined, at: Date): boolean {
  if (constraint === undefined) return true;
  const day = at.toISOString().slice(0, 10);
  if (constraint.type === 'start_date') return day >= constraint.start_date;
  const { start_time, end_time, start_date, weekdays, except = [] } = constraint;
  const time = at.toISOString().slice(11, 19);
  return (
    time >= start_time.slice(0, 8) &&
    time < end_time.slice(0, 8) &&
    day >= (start_date ?? '') &&
    (weekdays?.includes(at.getUTCDay() || 7) ?? true) &&
    !except.some(([first, last]) => first <= day && day <= last)
  );
}

/** Null where none holds. */
export function priceAt(prices: SupplementPrices, at: Date): ListPrices | null {
  if (!Array.isArray(prices)) return prices as ListPrices;
  return (prices.findLast(({ constraint }) => holds(constraint, at))?.prices as ListPrices) ?? null;
}
