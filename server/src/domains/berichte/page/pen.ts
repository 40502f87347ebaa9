/** What sections are written with, and what all of them say alike. */
import type { Language, Sentence } from '#kernel/sentence.ts';
import type { Report } from '../rules.ts';
import type { Figures } from './figures.ts';
import type { SENTENCES } from './words.ts';

export interface Pen {
  report: Report;
  figures: Figures;
  say: (sentence: Sentence) => string;
  sentences: (typeof SENTENCES)[Language];
  /** Address of a page of the cockpit. */
  page: (path: string) => string;
  language: Language;
}

/** The day of a local time with offset, `YYYY-MM-DD`. */
export const dayOf = (local: string) => local.slice(0, 10);

/** The week as a period of the cockpit. */
export function periodOf({ von, bis }: Report): string {
  const last = Temporal.PlainDate.from(dayOf(bis)).subtract({ days: 1 });
  return `${dayOf(von)}..${last}`;
}
