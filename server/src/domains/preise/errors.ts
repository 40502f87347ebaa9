/** What of a price book is refused. */
import { conflict, type ValueFault } from '#kernel/errors.ts';

type Path = ValueFault['path'];

export const noRate = (path: Path): ValueFault => ({
  path,
  input: {},
  reason: { de: 'wenigstens ein Preis muss angegeben sein', en: 'at least one rate must be stated' },
});

export const bothOrNeither = (path: Path): ValueFault => ({
  path,
  input: null,
  reason: {
    de: 'Eingabe und Ausgabe gehören zusammen: geben Sie 0 an, wenn eine davon nichts kostet',
    en: 'input and output belong together: state 0 where one of them is free',
  },
});

export const tooManyDecimals = (path: Path, input: unknown, most: number): ValueFault => ({
  path,
  input,
  reason: { de: `höchstens ${most} Nachkommastellen`, en: `at most ${most} decimals` },
});

export const endsBeforeItBegins = (path: Path, input: unknown): ValueFault => ({
  path,
  input,
  reason: {
    de: 'das Ende muss nach dem Beginn liegen; es ist der erste Tag, an dem der Eintrag nicht mehr gilt',
    en: 'the end must come after the beginning; it is the first day the entry no longer holds on',
  },
});

export const untrimmed = (path: Path, input: unknown): ValueFault => ({
  path,
  input,
  reason: { de: 'ohne Leerzeichen am Anfang und Ende', en: 'without blanks at its ends' },
});

export const tooManyStars = (path: Path, input: unknown, most: number): ValueFault => ({
  path,
  input,
  reason: { de: `höchstens ${most} Sternchen`, en: `at most ${most} asterisks` },
});

export const tooManyPatterns = (path: Path, most: number): ValueFault => ({
  path,
  input: null,
  reason: {
    de: `höchstens ${most} eigene Preise mit Sternchen`,
    en: `at most ${most} own prices with an asterisk`,
  },
});

export const allTogether = (path: Path): ValueFault => ({
  path,
  input: null,
  reason: {
    de: 'ein Eintrag weiter oben sagt zur selben Zeit etwas zum Selben',
    en: 'an entry further up says something of the same at the same time',
  },
});

export const bookChanged = () =>
  conflict('preisbuch_veraltet', {
    de: 'Das Preisbuch wurde inzwischen geändert. Laden Sie es neu, damit nichts verloren geht.',
    en: 'The price book has been changed meanwhile. Load it anew, so that nothing is lost.',
  });

const csvFault = (place: (string | number)[], input: unknown, de: string, en: string): ValueFault => ({
  path: ['csv', ...place],
  input,
  reason: { de, en },
});

export const unknownColumn = (name: string, known: readonly string[]) =>
  csvFault(
    [1],
    name,
    `diese Spalte ist unbekannt; es gibt: ${known.join(', ')}`,
    `this column is unknown; there are: ${known.join(', ')}`,
  );

export const twoOfAColumn = (name: string) =>
  csvFault([1], name, 'diese Spalte gibt es zweimal', 'this column is there twice');

export const missingColumn = (name: string) =>
  csvFault([1], null, `die Spalte „${name}“ fehlt`, `the column “${name}” is missing`);

export const faultyLine = (line: number, column: string, input: string) =>
  csvFault(
    [line, column],
    input,
    'in dieser Zelle steht nichts, was hierher gehört: Beträge wie 2,5 (in USD), Tage wie 2026-01-31',
    'this cell holds nothing that belongs here: amounts such as 2.5 (in USD), days such as 2026-01-31',
  );
