/** The tables of sums: which periods they are kept for, and their columns. Written by counting, read here. */
import { FIGURE_NAMES, FIGURES } from '#contracts';

/** A period sums are kept by: its table, the column of its beginning and that column's type. */
export interface Grain {
  table: string;
  column: string;
  type: 'timestamptz' | 'date';
}

export const GRAINS = {
  minute: { table: 'verbrauch_minute', column: 'minute', type: 'timestamptz' },
  stunde: { table: 'verbrauch_stunde', column: 'stunde', type: 'timestamptz' },
  tag: { table: 'verbrauch_tag', column: 'tag', type: 'date' },
  woche: { table: 'verbrauch_woche', column: 'woche', type: 'date' },
} as const satisfies Record<string, Grain>;

export type GrainName = keyof typeof GRAINS;

/** Sums by the minute are kept for so many hours. */
export const MINUTE_HOURS = 48;

/** Columns with a histogram in one number, `STEP_DIGITS` decimal digits a step; they add up like any sum. */
export const HISTOGRAMS = ['latenz', 'erste_zeichen'] as const;
export type Histogram = (typeof HISTOGRAMS)[number];

/** Lower bounds of the histograms' steps 1, 2, … in milliseconds, each about 1.41 times the one before; step 0 lies below. */
export const STEP_BOUNDS: readonly number[] = Array.from({ length: 37 }, (_, step) =>
  Math.round(16 * 2 ** (step / 2)),
);
export const STEPS = STEP_BOUNDS.length + 1;
/** Room for a million million calls in each step. */
export const STEP_DIGITS = 12;

/** Every column that adds up. */
export const ADDENDS: readonly string[] = [...FIGURE_NAMES, ...HISTOGRAMS];

const TYPES = { count: 'bigint', tokens: 'numeric', usd: 'numeric', eur: 'numeric' } as const;
/** The SQL type of each addend. */
export const FIGURE_TYPES: Readonly<Record<string, string>> = Object.fromEntries([
  ...FIGURE_NAMES.map((name) => [name, TYPES[FIGURES[name].kind]]),
  ...HISTOGRAMS.map((name) => [name, 'numeric']),
]);
