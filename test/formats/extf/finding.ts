/** What the check of a file finds. */
import type { Sentence } from '#kernel/sentence.ts';

export interface Finding {
  code: string;
  /** An error keeps the file or the booking from being taken; a warning is what the format does not want and readers pass over. */
  schwere: 'fehler' | 'warnung';
  /** From 1. */
  zeile: number;
  /** Place in the line, from 1; null for the line as a whole. */
  spalte: number | null;
  satz: Sentence;
}

/** Where it was found, and what to say: the German sentence, the English one. */
export const error = (
  code: string,
  zeile: number,
  spalte: number | null,
  de: string,
  en: string,
): Finding => ({
  code,
  schwere: 'fehler',
  zeile,
  spalte,
  satz: { de, en },
});

export const warning = (...parts: Parameters<typeof error>): Finding => ({
  ...error(...parts),
  schwere: 'warnung',
});
