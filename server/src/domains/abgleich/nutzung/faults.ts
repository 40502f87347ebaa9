/** What of a provider's export cannot be read, by line and column. */
import type { ValueFault } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';

/** A file may have a fault in each of its cells. */
export const MOST_FAULTS = 100;
/** How much of a foreign text a fault repeats. */
const MOST_TEXT = 60;
const MOST_NAMES = 40;

const short = (text: string) => (text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}…`);

const fault = (place: (string | number)[], input: unknown, reason: Sentence): ValueFault => ({
  path: ['csv', ...place],
  input,
  reason,
});

export const notText = () =>
  fault([], null, {
    de: 'die Datei enthält Nullzeichen; gelesen wird CSV als UTF-8, als UTF-16 mit Byte-Reihenfolge-Marke oder als Windows-1252',
    en: 'the file has NUL characters; CSV is read as UTF-8, as UTF-16 with a byte-order mark or as Windows-1252',
  });

export const tooLarge = (megabytes: number) =>
  fault([], null, { de: `höchstens ${megabytes} MB`, en: `at most ${megabytes} MB` });

export const twoOfAColumn = (name: string) =>
  fault([1], name, { de: 'diese Spalte gibt es zweimal', en: 'this column is there twice' });

/** Columns that belong to none of the exports: what each of them is known by, and what the file has. */
export function unknownFile(known: Sentence, found: readonly string[]): ValueFault {
  const names = found.slice(0, MOST_NAMES).map(short).join(', ');
  const has = found.length > MOST_NAMES ? `${names}, …` : names;
  return fault([1], has.slice(0, MOST_TEXT), {
    de: `diese Ausgabe eines Anbieters ist unbekannt; laden Sie dort die Kosten- oder Nutzungsdatei herunter und lassen Sie ihre Überschriften, wie sie sind; gefunden wurde ${has}; bekannt sind: ${known.de}`,
    en: `this export of a provider is unknown; download the file of costs or usage there and leave its heads as they are; found was ${has}; known are: ${known.en}`,
  });
}

export const otherWidth = (line: number, cells: number, heads: number) =>
  fault([line], null, {
    de: `die Zeile hat ${cells} Zellen, die Überschrift ${heads}`,
    en: `the line has ${cells} cells, the head ${heads}`,
  });

/** A cell that holds nothing that belongs there, and what does. */
export const faultyCell = (line: number, column: string, input: string, reason: Sentence) =>
  fault([line, column], input, reason);
