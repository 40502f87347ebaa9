/** The sums the slice reads and counting writes: their tables, columns and types, made of the lists in the contract. */

import { DIMENSIONS, type DimensionName, FIGURE_NAMES, FIGURES, type FigureName } from '#contracts';
import { FAILURE } from '#domains/ereignisse/index.ts';

interface GrainTable {
  table: string;
  /** The column that says when: the instant at which it begins. */
  column: string;
}

/** What sums are kept for. */
export const GRAINS = {
  minute: { table: 'verbrauch_minute', column: 'minute' },
  stunde: { table: 'verbrauch_stunde', column: 'stunde' },
} as const satisfies Record<string, GrainTable>;

export type Grain = keyof typeof GRAINS;

/** Dimension and value of the sums of all calls. */
export const TOTAL = { dimension: 0, merkmal: 0 } as const;

/** What is kept of each local day of all calls together (`verbrauch_tagesstand`), for those who ask no more. */
export const DAY_FIGURES = [
  'aufrufe',
  'unbepreist',
  'aufgeteilt',
  'kosten_eur',
] as const satisfies FigureName[];

/** Histograms by minute and hour beside the figures, each in one number. */
export const HISTOGRAMS = ['latenz', 'erste_zeichen'] as const;

/** The SQL type of a figure's column. */
export const sqlTypeOf = (name: FigureName): 'bigint' | 'numeric' =>
  FIGURES[name].kind === 'count' ? 'bigint' : 'numeric';

/** What a call adds to a figure, as SQL over a row `e` of `ereignisse`; null adds nothing. */
const ADDENDS: Record<FigureName, string> = {
  aufrufe: '1',
  fehler: `${FAILURE}::int`,
  unbepreist: '(e.kosten_usd IS NULL)::int',
  teilbepreist: 'e.teilbepreist::int',
  geschaetzt: 'e.geschaetzt::int',
  eingabe_token: 'e.eingabe_token',
  ausgabe_token: 'e.ausgabe_token',
  cache_lese_token: 'e.cache_lese_token',
  cache_schreib_token: 'e.cache_schreib_token',
  denk_token: 'e.denk_token',
  eingabe_ohne_cache: 'e.eingabe_ohne_cache',
  ausgabe_gesamt: 'e.ausgabe_gesamt',
  aufgeteilt: '1',
  kosten_usd: 'e.kosten_usd',
  kosten_eur: 'e.kosten_eur',
  geschaetzt_eur: 'CASE WHEN e.geschaetzt OR e.teilbepreist THEN e.kosten_eur END',
  ersatz_eur: 'CASE WHEN e.ersatzkurs THEN e.kosten_eur END',
  verbranntes_geld_eur: `CASE WHEN ${FAILURE} OR e.wiederholung THEN e.kosten_eur END`,
};

/** The figures of rows `e` of `ereignisse` as a SELECT list, in the order of FIGURE_NAMES. */
export const EVENT_FIGURES = FIGURE_NAMES.map(
  (name) => `coalesce(sum(${ADDENDS[name]}), 0)::${sqlTypeOf(name)} AS ${name}`,
).join(', ');

/** The value of a dimension of a row `e` of `ereignisse`, as SQL; '' for none. */
export const eventValue = (name: DimensionName): string => `coalesce(e.${DIMENSIONS[name].column}, '')`;

/** Sums by the minute are kept for so many hours. */
export const MINUTE_HOURS = 48;

/** Lower bounds of the histograms' steps 1, 2, … in milliseconds, each about 1.41 times the one before; step 0 lies below. */
export const STEP_BOUNDS: readonly number[] = Array.from({ length: 37 }, (_, step) =>
  Math.round(16 * 2 ** (step / 2)),
);
export const STEPS = STEP_BOUNDS.length + 1;
/** Decimal digits of a step in the number of its histogram: room for a million million calls. */
export const STEP_DIGITS = 12;

/** Every column of a table of sums that adds up, with its SQL type. */
export const SUM_COLUMNS: readonly {
  name: FigureName | (typeof HISTOGRAMS)[number];
  type: 'bigint' | 'numeric';
}[] = [
  ...FIGURE_NAMES.map((name) => ({ name, type: sqlTypeOf(name) })),
  ...HISTOGRAMS.map((name) => ({ name, type: 'numeric' as const })),
];
