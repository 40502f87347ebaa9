/** A search for a text as a regular expression of the database that says itself which letters are the same. */

/** Letters up to Cyrillic, and those of Latin that stand apart. */
const LETTERS = [
  [0x41, 0x52f],
  [0x1e00, 0x1eff],
] as const;
/** Accents that stand behind their letter. */
const MARKS = '[\u0300-\u036f]*';

const baseOf = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Of each letter all that differ from it by case or accents alone. */
const ALIKE = Map.groupBy(
  LETTERS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  ).filter((letter) => /\p{L}/u.test(letter) && baseOf(letter).length === 1),
  baseOf,
);

function patternOf(char: string): string {
  const alike = ALIKE.get(char);
  if (alike) return `[${alike.join('')}]${MARKS}`;
  return /[\p{L}\p{N}]/u.test(char) || char > '\x7f' ? char : `\\${char}`;
}

/**
 * Matches what contains the text, whatever the case and the accents of its letters. What the database itself makes of them depends on
 * its locale, and turning every name into one form takes a hundred times as long.
 */
export const containing = (text: string): string => Array.from(baseOf(text), patternOf).join('');
