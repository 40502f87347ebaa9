/** Passing costs on: the way from the figures of an end customer to their statement; the month of a page. */
export { MonthPicker } from './month-picker.tsx';
export { shiftMonth } from './months.ts';
export { StatementLink } from './statement-link.tsx';
export { useCurrentMonth, useMonth } from './use-month.ts';
