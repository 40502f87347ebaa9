/** The sums the slice reads and counting writes: their tables, columns and types, made of the lists in the contract. */

import { DIMENSIONS, type DimensionName, FIGURE_NAMES, FIGURES, type FigureName } from '#contracts';
import { FAILURE } from '#domains/ereignisse/index.ts';

/** What running sums are kept by. */
export const GRAINS = {
  minute: { table: 'verbrauch_laufend_minute', column: 'minute' },
  stunde: { table: 'verbrauch_laufend_stunde', column: 'stunde' },
} as const;

export type Grain = keyof typeof GRAINS;

/** Dimension and value of the sums of all calls. */
export const TOTAL = { dimension: 0, merkmal: 0 } as const;

/** What is kept of each local day of all calls together (`verbrauch_tagesstand`), for those who ask no more. */
export const DAY_FIGURES = ['aufrufe', 'unbepreist', 'kosten_eur'] as const satisfies FigureName[];

/** Histograms beside the figures, each in one number. */
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

/** Hours for which running sums by the minute are kept. */
export const MINUTE_HOURS = 48;

/** Lower bounds of the histograms' steps 1, 2, … in milliseconds, each about 1.41 times the one before; step 0 lies below. */
export const STEP_BOUNDS: readonly number[] = Array.from({ length: 37 }, (_, step) =>
  Math.round(16 * 2 ** (step / 2)),
);
export const STEPS = STEP_BOUNDS.length + 1;
/** Decimal digits of a step in the number of its histogram: room for a million million calls. */
export const STEP_DIGITS = 12;

/** What running sums add up, with its SQL type: what limits, budgets and rules ask for at once. */
export const SUM_COLUMNS = [
  { name: 'aufrufe', type: 'bigint' },
  { name: 'fehler', type: 'bigint' },
  { name: 'unbepreist', type: 'bigint' },
  { name: 'geschaetzt', type: 'bigint' },
  /** Input and output as sent. */
  { name: 'token', type: 'numeric' },
  { name: 'kosten_eur', type: 'numeric' },
  ...HISTOGRAMS.map((name) => ({ name, type: 'numeric' as const })),
] as const;
export type SumColumn = (typeof SUM_COLUMNS)[number]['name'];

/** By number of the dimension: texts of the values that have running sums. All calls and each agent have some anyway. */
export type KeptValues = ReadonlyMap<number, ReadonlySet<string>>;

/** Whether a value has running sums. */
export const isKept = (kept: KeptValues, dimension: number, text: string): boolean =>
  dimension === TOTAL.dimension ||
  dimension === DIMENSIONS.agent.number ||
  kept.get(dimension)?.has(text) === true;
