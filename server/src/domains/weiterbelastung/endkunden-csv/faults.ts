/** What of a file of end customers cannot be read, by line and column. */
import type { ValueFault } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';

const fault = (place: (string | number)[], input: unknown, reason: Sentence): ValueFault => ({
  path: ['csv', ...place],
  input,
  reason,
});

export const unknownColumn = (name: string, known: readonly string[]) =>
  fault([1], name, {
    de: `diese Spalte ist unbekannt; es gibt: ${known.join(', ')}`,
    en: `this column is unknown; there are: ${known.join(', ')}`,
  });

export const twoOfAColumn = (name: string) =>
  fault([1], name, { de: 'diese Spalte gibt es zweimal', en: 'this column is there twice' });

export const missingColumn = (name: string) =>
  fault([1], null, { de: `die Spalte „${name}“ fehlt`, en: `the column “${name}” is missing` });

export const otherWidth = (line: number, cells: number, heads: number) =>
  fault([line], null, {
    de: `die Zeile hat ${cells} Zellen, die Überschrift ${heads}`,
    en: `the line has ${cells} cells, the head ${heads}`,
  });

export const twiceNamed = (line: number, referenz: string, first: number) =>
  fault([line, 'referenz'], referenz, {
    de: `diese Referenz steht schon in Zeile ${first}`,
    en: `this reference stands in line ${first} already`,
  });

/** A cell that holds nothing that belongs there, and what does. */
export const faultyCell = (line: number, column: string, input: string, reason: Sentence) =>
  fault([line, column], input, reason);
