/** What an export says of a month, by model. */
import { scaledFrom, textOf } from '#kernel/money.ts';
import type { UsageRow } from './read.ts';
import { AMOUNT_SCALE } from './values.ts';

const COUNTS = [
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'aufrufe',
] as const;

/** A sum is null where one of its lines does not say the value. */
export type ModelSum = Pick<UsageRow, 'modell' | 'betrag' | 'waehrung' | (typeof COUNTS)[number]>;

const plus = (a: bigint | null, b: bigint | null) => (a === null || b === null ? null : a + b);

function sumOf(rows: readonly UsageRow[]): ModelSum {
  const [{ modell, waehrung }] = rows as [UsageRow];
  const total = (values: (bigint | null)[]) => values.reduce(plus, 0n);
  const betrag = total(
    rows.map((row) => (row.betrag === null ? null : scaledFrom(row.betrag, AMOUNT_SCALE))),
  );
  const counts = COUNTS.map((name) => [name, total(rows.map((row) => row[name]))] as const);
  return {
    modell,
    waehrung,
    betrag: betrag === null ? null : textOf(betrag, AMOUNT_SCALE),
    ...(Object.fromEntries(counts) as Record<(typeof COUNTS)[number], bigint | null>),
  };
}

/**
 * The exact sums of a month (`YYYY-MM`, in UTC) by model and currency, which never mix: models by code unit, what is of no known model last,
 * then currencies. Empty if the file has nothing of the month.
 */
export function sumByModel(zeilen: readonly UsageRow[], monat: string): ModelSum[] {
  // Sorts null behind every name
  const keyOf = ({ modell, waehrung }: UsageRow) => JSON.stringify([modell ?? null, waehrung]);
  const groups = Map.groupBy(
    zeilen.filter((row) => row.monat === monat),
    keyOf,
  );
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rows]) => sumOf(rows));
}
