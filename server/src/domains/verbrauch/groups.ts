/** From figures of groups to rows of answers: what they cost, in which order they stand, a page of them. */
import { FIGURE_NAMES, FIGURES, type FigureName } from '#contracts';
import { EUR_SCALE, eurFrom, textOf } from '#kernel/money.ts';
import type { SumsAnswer } from './engine/question.ts';

/** Figures of a set of calls: counts as text, amounts as plain decimals, null when unknown. */
export type SumsRow = Record<FigureName | 'gemessen_eur', string | null>;

const indexOf = (name: FigureName) => FIGURE_NAMES.indexOf(name);
const CALLS = indexOf('aufrufe');
const UNPRICED = indexOf('unbepreist');
const EUR = indexOf('kosten_eur');
const ESTIMATED = indexOf('geschaetzt_eur');

/** Amounts of either currency have one unit, 10^-34. */
const SCALES = { count: 0, tokens: 0, usd: EUR_SCALE, eur: EUR_SCALE };
/** Decimal places of the smallest unit of each figure, in the order of `FIGURE_NAMES`. */
const FULL_SCALES = FIGURE_NAMES.map((name) => SCALES[FIGURES[name].kind]);

/** Amounts that are told as null where no call has a known price. */
const NULL_IF_UNKNOWN = FIGURE_NAMES.map((name) => {
  const { kind, ...rest } = FIGURES[name];
  return (kind === 'usd' || kind === 'eur') && !('neverNull' in rest);
});

/** Of calls without a known price, or of none at all, there is no cost to add up. */
const isKnown = (values: readonly bigint[]): boolean =>
  (values[CALLS] as bigint) > (values[UNPRICED] as bigint);

/** What calls with these figures cost, in 10^-34 EUR; null where that is unknown. */
export const costOfValues = (values: readonly bigint[]): bigint | null =>
  isKnown(values) ? (values[EUR] as bigint) : null;

export const callsOfValues = (values: readonly bigint[]): bigint => values[CALLS] as bigint;

/** Figures in their smallest unit, in the order of `FIGURE_NAMES`, as answers have them. */
export function toSumsRow(values: readonly bigint[]): SumsRow {
  const row: Partial<SumsRow> = {};
  for (const [figure, name] of FIGURE_NAMES.entries())
    row[name] =
      NULL_IF_UNKNOWN[figure] && !isKnown(values)
        ? null
        : textOf(values[figure] as bigint, FULL_SCALES[figure] as number);
  const gemessen = (values[EUR] as bigint) - (values[ESTIMATED] as bigint);
  row.gemessen_eur = isKnown(values) ? textOf(gemessen, EUR_SCALE) : null;
  return row as SumsRow;
}

/** Figures without those of others. */
export const figuresWithout = (values: readonly bigint[], others: Iterable<readonly bigint[]>): bigint[] => {
  const left = [...values];
  for (const other of others)
    for (const [figure, value] of other.entries()) left[figure] = (left[figure] as bigint) - value;
  return left;
};

/** Where a group stands: its cost in 10^-34 EUR, null where that is unknown, and the texts that name it. */
export interface GroupStanding {
  cost: bigint | null;
  keys: string[];
}

/** The most expensive first, unknown costs last. */
export function byCost(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a > b ? -1 : 1;
}

/** As the database orders texts: by their bytes. */
function byKeys(a: string[], b: string[]): number {
  for (const [index, text] of a.entries()) {
    const order = Buffer.compare(Buffer.from(text), Buffer.from(b[index] as string));
    if (order !== 0) return order;
  }
  return 0;
}

/** In the order of costs, and of texts where they are the same. */
export const byStanding = (a: GroupStanding, b: GroupStanding): number =>
  byCost(a.cost, b.cost) || byKeys(a.keys, b.keys);

/** What a place in the order says of the cost; one that nobody wrote says something near it. */
export function costOf(place: string): bigint | null {
  if (place === 'Infinity') return null;
  const [whole = '0', fraction = ''] = place.split('.');
  return -eurFrom(`${whole}.${fraction.slice(0, EUR_SCALE).padEnd(1, '0')}`);
}
/** … and back. */
export const placeOf = (cost: bigint | null): string =>
  cost === null ? 'Infinity' : textOf(-cost, EUR_SCALE);

/** The groups of a page, and of those that are not on it how many there are and what they come to. */
export interface GroupPage<Group> {
  page: Group[];
  rest: { gruppen: number; values: bigint[] };
  /** Whether groups follow those of the page. */
  hasMore: boolean;
}

/** Cuts a page of `limit` groups (null: all) out of those that can be on it, which stand in `order` behind `position`. */
export function cutPage<At extends GroupStanding, Group extends At & { values: readonly bigint[] }>(
  groups: readonly Group[],
  { count, behind, total }: Pick<SumsAnswer, 'count' | 'behind' | 'total'>,
  order: (a: At, b: At) => number,
  { limit, position = null }: { limit: number | null; position?: At | null },
): GroupPage<Group> {
  const named = groups.filter((group) => !position || order(group, position) > 0).sort(order);
  const page = named.slice(0, limit ?? named.length);
  const gruppen = count - page.length;
  // Of no groups nobody reads what they come to.
  const shown = gruppen > 0 ? page.map((group) => group.values) : [];
  return {
    page,
    rest: { gruppen, values: figuresWithout(total.values, shown) },
    hasMore: named.length + (behind - groups.length) > page.length,
  };
}
