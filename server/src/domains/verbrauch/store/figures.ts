/** How figures are added up and how they leave the database. */
import { sql } from 'kysely';
import { FIGURE_NAMES, FIGURES, type FigureName } from '#contracts';

/** Figures of a set of calls as the database gives them: counts as text, amounts as plain decimals, null when unknown. */
export type SumsRow = Record<FigureName | 'gemessen_eur', string | null>;

/**
 * What groups are put in order by (`RANKING`), added up: calls as doubles, which are exact up to 2^53 of them: of 100,000 rows the database adds up some a tenth faster
 * than whole numbers of any size.
 */
export const RANKED = sql.raw(
  'sum(aufrufe::float8) AS aufrufe, sum(unbepreist::float8) AS unbepreist, sum(kosten_eur) AS kosten_eur',
);

export const sumsOf = (names: readonly FigureName[]) =>
  sql.raw(names.map((name) => `sum(${name}) AS ${name}`).join(', '));

export const SUMS = sumsOf(FIGURE_NAMES);

/** Figures of sums `s` as plain decimals. */
export const AS_TEXT = sql.raw(
  FIGURE_NAMES.map((name) => `trim_scale(s.${name}::numeric)::text AS ${name}`).join(', '),
);

/** The figures of the sums `g` without those of `z`, which may be none. */
export const DIFFERENCES = sql.raw(
  FIGURE_NAMES.map((name) => `g.${name} - coalesce(z.${name}, 0) AS ${name}`).join(', '),
);

// Of calls without a known price, or of none at all, there is no cost to add up.
const IS_KNOWN = 's.aufrufe > s.unbepreist';
const amount = (value: string) => `trim_scale(coalesce(${value}, 0))::text`;
const ifKnown = (value: string) => `CASE WHEN ${IS_KNOWN} THEN ${amount(value)} END`;

function selected(name: FigureName): string {
  const { kind, ...rest } = FIGURES[name];
  if (kind === 'count' || kind === 'tokens') return `coalesce(s.${name}, 0)::text AS ${name}`;
  return `${'neverNull' in rest ? amount(`s.${name}`) : ifKnown(`s.${name}`)} AS ${name}`;
}

/** The figures of an answer from the sums `s`. */
export const ANSWER = sql.raw(
  [...FIGURE_NAMES.map(selected), `${ifKnown('s.kosten_eur - s.geschaetzt_eur')} AS gemessen_eur`].join(', '),
);
