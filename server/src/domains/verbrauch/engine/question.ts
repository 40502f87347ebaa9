/** What the engine is asked, and what it answers. */
import type { AnyDimensionName, FigureName } from '#contracts/rollup.ts';
import type { TimeColumn } from '../pieces/columns.ts';

/** What calls are grouped by: a value, their local day, or the beginning of their local hour or minute. */
export type Grouping = AnyDimensionName | TimeColumn;

const TIMES: readonly TimeColumn[] = ['tag', 'stunde', 'minute'];
/** What the order follows from, and which groups there are. */
export const RANKED: readonly FigureName[] = ['aufrufe', 'unbepreist', 'kosten_eur'];
export const isTime = (grouping: Grouping): grouping is TimeColumn =>
  (TIMES as readonly Grouping[]).includes(grouping);

/** Calls with one of these values, by number. */
export interface ValueFilter {
  dimension: AnyDimensionName;
  merkmale: readonly number[];
}

/** A place in the order of groups. */
export interface OrderPosition {
  /** Of the times they are grouped by, where they are in order of time; none where they are in order of cost alone. */
  times: readonly number[];
  /** In 10^-34 EUR; null where it is unknown. */
  cost: bigint | null;
}

export interface SumsQuestion {
  /** Minutes since 1970: of the first local hour, and of the first one that is not asked about. */
  von: number;
  bis: number;
  /** A call must meet each of them. */
  filters: readonly ValueFilter[];
  by: readonly Grouping[];
  /** The most expensive first; or the earliest first, and of those of a time the most expensive. */
  order: 'cost' | 'time';
  /** Others are not added up, but for what the order follows from. */
  figures: readonly FigureName[];
  /** Groups at most, and all that stand where the last of them stands; null for all. */
  limit: number | null;
  /** Groups that stand there or behind it. */
  from: OrderPosition | null;
}

export interface Sums {
  /** In the order of `FIGURE_NAMES` and in whole calls and tokens, 10^-34 of a currency; 0 of what was not asked for. */
  values: bigint[];
}

export interface Group extends Sums {
  /** Numbers of values, days or minutes since 1970, in the order of `by`. */
  keys: number[];
}

export interface SumsAnswer {
  /** In no order: one more than the limit, those that stand where the last of them stands, and those that stand at `from`. */
  groups: Group[];
  /** Of all groups together. */
  total: Sums;
  /** How many groups there are, and how many at `from` or behind it. */
  count: number;
  behind: number;
}
