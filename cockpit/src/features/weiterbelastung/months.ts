/** Months as `YYYY-MM`. */

const pattern = /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/;

/** Whether a text names a month that the service may know: none before 1970. */
export const isMonth = (text: unknown): text is string => typeof text === 'string' && pattern.test(text);

const indexOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;

const monthAt = (index: number) =>
  `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;

/** The month this many months later; earlier for a negative number. */
export const shiftMonth = (month: string, months: number): string => monthAt(indexOf(month) + months);

/** How many months lie between two, from the earlier to the later one. */
export const monthsBetween = (earlier: string, later: string): number => indexOf(later) - indexOf(earlier);

/** Months from the latest back to the earliest one, and at least as many as told. */
export function lastMonths(latest: string, earliest: string, atLeast: number): string[] {
  const count = Math.max(atLeast, monthsBetween(earliest, latest) + 1);
  return Array.from({ length: count }, (_, index) => shiftMonth(latest, -index));
}
