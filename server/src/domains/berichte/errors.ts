/** What reports refuse. */
import { InvalidInput } from '#kernel/errors.ts';

const refused = (input: string, de: string, en: string) =>
  new InvalidInput({ path: ['woche'], reason: { de, en }, input });

export const noWeek = (input: string) =>
  refused(
    input,
    'woche muss eine Kalenderwoche JJJJ-Www oder ein Montag JJJJ-MM-TT der Jahre 1970 bis 9998 sein',
    'woche must be a week YYYY-Www or a Monday YYYY-MM-DD of the years 1970 to 9998',
  );

export const weekAhead = (input: string) =>
  refused(input, 'diese Woche hat noch nicht begonnen', 'this week has not begun yet');
