/**
 * What sums are kept by, and what is summed up: written down once. Tables, statements, answers and descriptions follow from
 * these two lists (CONTRIBUTING, "A new dimension").
 */

interface Dimension {
  /** Its number in the database; never given twice. */
  number: number;
  /** The column of `ereignisse` it is taken from. */
  column: string;
  /**
   * Whether sums are kept by the minute, too: for those a rule can have as its scope. Users are many, and by the minute each
   * call would nearly have a row of its own.
   */
  minutes: boolean;
  meaning: string;
}

/** The dimensions; number 0 is the total of all events. */
export const DIMENSIONS = {
  agent: { number: 1, column: 'agent', minutes: true, meaning: 'Key of the agent.' },
  projekt: { number: 2, column: 'projekt', minutes: true, meaning: 'Key of the project.' },
  endkunde: { number: 3, column: 'endkunde_ref', minutes: true, meaning: 'Reference of the end customer.' },
  anbieter: { number: 4, column: 'anbieter', minutes: true, meaning: 'Provider of the model.' },
  modell: { number: 5, column: 'modell', minutes: true, meaning: 'Name of the model.' },
  funktion: { number: 6, column: 'funktion_ref', minutes: true, meaning: 'Reference of the function.' },
  benutzer: { number: 7, column: 'benutzer_ref', minutes: false, meaning: 'Reference of the user.' },
} as const satisfies Record<string, Dimension>;

export type DimensionName = keyof typeof DIMENSIONS;
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as DimensionName[];

/** Dimensions of a Mandant's own: keys of the free data of events that it has named (`merkmale` of the account), by their place. */
export const OWN_DIMENSIONS = {
  merkmal_1: { number: 11 },
  merkmal_2: { number: 12 },
  merkmal_3: { number: 13 },
  merkmal_4: { number: 14 },
  merkmal_5: { number: 15 },
} as const;

export type OwnDimensionName = keyof typeof OWN_DIMENSIONS;
export const OWN_DIMENSION_NAMES = Object.keys(OWN_DIMENSIONS) as OwnDimensionName[];

/** Every dimension that calls can be asked for by, one's own among them. */
export type AnyDimensionName = DimensionName | OwnDimensionName;
export const ANY_DIMENSION_NAMES: readonly AnyDimensionName[] = [...DIMENSION_NAMES, ...OWN_DIMENSION_NAMES];
export const isOwnDimension = (name: AnyDimensionName): name is OwnDimensionName => name in OWN_DIMENSIONS;
/** The number of a dimension in the database. */
export const numberOfDimension = (name: AnyDimensionName): number =>
  isOwnDimension(name) ? OWN_DIMENSIONS[name].number : DIMENSIONS[name].number;

interface Figure {
  /** `count`: whole and small enough for 64 bits; `tokens`: whole, of any size; `usd`, `eur`: exact amounts. */
  kind: 'count' | 'tokens' | 'usd' | 'eur';
  meaning: string;
  /** An amount that answers give as 0 where no call has a known price; any other is null there. */
  neverNull?: true;
  /** Tokens that are null in answers where some of the calls are not in it (`aufgeteilt`). */
  ofDivided?: true;
}

/** The figures of a set of calls, by the names of their columns and of their fields in answers. */
export const FIGURES = {
  aufrufe: { kind: 'count', meaning: 'Number of calls.' },
  fehler: { kind: 'count', meaning: 'Calls whose status is not `erfolgreich`.' },
  unbepreist: {
    kind: 'count',
    meaning: 'Calls whose model has no known price; their cost is in no sum.',
  },
  teilbepreist: {
    kind: 'count',
    meaning: 'Calls of which only a part has a known price; that part is in the sums.',
  },
  geschaetzt: { kind: 'count', meaning: 'Calls whose token counts are estimates.' },
  eingabe_token: { kind: 'tokens', meaning: 'Input tokens, as sent.' },
  ausgabe_token: { kind: 'tokens', meaning: 'Output tokens, as sent.' },
  cache_lese_token: { kind: 'tokens', meaning: 'Tokens read from the cache, as sent.' },
  cache_schreib_token: { kind: 'tokens', meaning: 'Tokens written to the cache, as sent.' },
  denk_token: { kind: 'tokens', meaning: 'Reasoning tokens, as sent.' },
  eingabe_ohne_cache: {
    kind: 'tokens',
    meaning:
      'Input tokens without those read from or written to the cache, whichever way the provider counts.',
    ofDivided: true,
  },
  ausgabe_gesamt: {
    kind: 'tokens',
    meaning: 'Output tokens with those of reasoning, whichever way the provider counts.',
    ofDivided: true,
  },
  aufgeteilt: {
    kind: 'count',
    meaning: 'Calls whose tokens are in `eingabe_ohne_cache` and `ausgabe_gesamt`: all of them.',
  },
  kosten_usd: { kind: 'usd', meaning: 'Cost in USD of the calls with a known price.' },
  kosten_eur: { kind: 'eur', meaning: 'Cost in EUR of the calls with a known price.' },
  geschaetzt_eur: {
    kind: 'eur',
    meaning: 'The part of the cost in EUR that rests on estimated counts or is of calls priced in part.',
  },
  ersatz_eur: {
    kind: 'eur',
    meaning: 'The part of the cost in EUR that was converted at the substitute rate.',
  },
  verbranntes_geld_eur: {
    kind: 'eur',
    meaning: 'Cost in EUR of calls that failed or are proven repeats.',
    neverNull: true,
  },
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[];
