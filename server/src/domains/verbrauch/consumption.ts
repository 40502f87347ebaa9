/** The one door to consumption: what the calls of a window add up to. */
import { sql } from 'kysely';
import { type DimensionName, FIGURE_NAMES } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { GroupSums } from './lists/group-sums.ts';
import { OpenedLists } from './lists/opened-lists.ts';
import { RANKING } from './rollup.ts';
import {
  type GroupRow,
  type Groups,
  type Page,
  type Position,
  readBuckets,
  readTotal,
  readValues,
} from './store/answer.ts';
import { type ChangeRow, readChanges } from './store/changes.ts';
import { type CourseRow, readCourses } from './store/courses.ts';
import { type ProjectPosition, type ProjectRow, readDay } from './store/day.ts';
import type { SumsRow } from './store/figures.ts';
import { notIn, readFigures, readListed, readOrder } from './store/order.ts';
import { valuesTogether } from './store/pairs.ts';
import { readSubstituted, type SubstitutedRow } from './store/substitutes.ts';
import {
  addUpAlone,
  allOf,
  type Filter,
  ofAll,
  ofChosen,
  ofNumbers,
  ofValue,
  type Part,
  rowsOf,
  type Source,
} from './store/sums.ts';
import { pageOfGroups, readTexts } from './store/together.ts';
import { type ReadGrain, splitWindow } from './window.ts';

export type { Filter, Position, SubstitutedRow, SumsRow };

export interface Question {
  /** Whole local hours. */
  window: Window;
  /** What to group by; null for the sum alone. */
  by: PlainGrouping | null;
  /** Only calls with this value. */
  where?: Filter | null;
  /** Groups at most, all unless given. */
  limit?: number | null;
  /** Behind which group to begin. */
  after?: Position | null;
}

/** What the calls of a window are grouped by. */
export type PlainGrouping = DimensionName | 'tag' | 'stunde';

export interface Consumption {
  /**
   * Groups with calls. Values by cost, the most expensive first, unknown costs last, then by key; days (`YYYY-MM-DD`) and
   * hours (ISO 8601 in UTC) by time.
   */
  zeilen: GroupRow[];
  /** What is not in `zeilen`, as one; null when everything is. */
  rest: (SumsRow & { gruppen: number }) | null;
  summe: SumsRow;
  /** Where the next page begins; null when there is none. */
  naechster: Position | null;
}

const GRAINS_BY: Partial<Record<string, readonly ReadGrain[]>> = {
  stunde: ['stunde'],
  tag: ['tag', 'stunde'],
};
const ALL_GRAINS: readonly ReadGrain[] = ['woche', 'tag', 'stunde'];

const NOTHING_LEFT = { rest: null, naechster: null };

/** Of values that were added up here, a page; `figuresOf` reads their figures where the sums are of what puts them in order alone. */
function pageOfValues(
  tx: MandantTx,
  { sums, figuresOf }: { sums: GroupSums; figuresOf?: (merkmale: number[]) => Promise<GroupSums> },
  total: Part,
  { limit, after }: Page,
): Promise<Groups> {
  const merkmaleOf = (places: number[]) => places.map((place) => sums.merkmale[place] as number);
  const keysOf = async (places: number[]) => {
    const merkmale = merkmaleOf(places);
    const texts = await readTexts(tx, merkmale);
    return merkmale.map((merkmal) => [texts.get(merkmal) as string]);
  };
  const valuesOf = async (places: number[]) => {
    const merkmale = merkmaleOf(places);
    const figures = figuresOf ? await figuresOf(merkmale) : sums;
    return merkmale.map((merkmal) => figures.values(figures.placeOf(merkmal)));
  };
  const toKeys = ([schluessel = '']: string[]) => ({ schluessel });
  const position = after && { place: after.place ?? 'Infinity', keys: [after.schluessel] };
  return pageOfGroups(tx, { sums, keysOf, toKeys, valuesOf }, total, { limit, after: position });
}

/** The values of a dimension with their sums. */
async function readByValue(
  tx: MandantTx,
  { window, where = null, limit = null, after = null }: Question,
  by: DimensionName,
  total: Part,
  source: Source,
  now: Temporal.Instant,
  remembered: OpenedLists,
): Promise<Groups> {
  const page = { limit, after };
  if (where && where.dimension !== by)
    return pageOfValues(tx, { sums: await valuesTogether(tx, window, where, by) }, total, page);
  if (!where) {
    // With a filter another part of the answer may read the calls of many days, which helpers do faster.
    await addUpAlone(tx);
    const listed = limit === null ? null : await readListed(tx, window, by);
    if (listed) {
      const stretches = listed.around.flatMap((time) => splitWindow(time, ALL_GRAINS, now));
      const around = { window, stretches, singles: notIn(listed.times) };
      const rows = rowsOf(tx, around, allOf(by), RANKING);
      const { sums, lists } = await readOrder(tx, by, listed.times, rows, remembered);
      const figuresOf = (merkmale: number[]) =>
        readFigures(tx, lists, merkmale, rowsOf(tx, around, ofNumbers(by, merkmale), FIGURE_NAMES));
      return pageOfValues(tx, { sums, figuresOf }, total, page);
    }
  }
  const whose = where ? ofValue(tx, where) : allOf(by);
  const ranking = rowsOf(tx, source, whose, RANKING);
  const chosen = rowsOf(tx, source, where ? whose : ofChosen(by), FIGURE_NAMES);
  return readValues(tx, { ranking, chosen, total }, page);
}

/**
 * What the calls of a window add up to, exactly: together and by group. `now` is only asked for how much lies ahead; `remembered` are
 * lists that were read before from the same database. The transaction must read from one snapshot.
 */
export async function consumption(
  tx: MandantTx,
  question: Question,
  now: Temporal.Instant,
  remembered = new OpenedLists(),
): Promise<Consumption> {
  const { window, by, where = null, limit = null, after = null } = question;
  const stretches = splitWindow(window, GRAINS_BY[by ?? ''] ?? ALL_GRAINS, now);
  const source = { window, stretches };
  const total = rowsOf(tx, source, where ? ofValue(tx, where) : ofAll, FIGURE_NAMES, by === 'stunde');
  if (by === null) return { zeilen: [], ...NOTHING_LEFT, summe: await readTotal(tx, total) };
  const { zeilen, rest, summe, hasMore } =
    by === 'tag' || by === 'stunde'
      ? await readBuckets(tx, total, { limit, after })
      : await readByValue(tx, question, by, total, source, now, remembered);
  const last = zeilen.at(-1);
  return {
    zeilen,
    rest: rest.gruppen > 0 ? rest : null,
    summe,
    naechster: hasMore && last ? { place: last.place, schluessel: last.schluessel } : null,
  };
}

export type { ChangeRow };

/**
 * The values of a dimension whose cost changed most from the window before to this one, at most so many up, down and new: without a
 * call in `earlier`. As for `consumption`.
 */
export function changes(
  tx: MandantTx,
  {
    by,
    most,
    ...windows
  }: Record<'window' | 'before' | 'earlier', Window> & { by: DimensionName; most: number },
  now: Temporal.Instant,
): Promise<ChangeRow[]> {
  const rowsIn = (window: Window) =>
    rowsOf(tx, { window, stretches: splitWindow(window, ALL_GRAINS, now) }, allOf(by), RANKING);
  const parts = {
    now: rowsIn(windows.window),
    before: rowsIn(windows.before),
    earlier: rowsIn(windows.earlier),
  };
  return readChanges(tx, parts, most);
}

/** Part of a group: a value (null: all not asked about) in a day or hour. */
export type { CourseRow };

/**
 * What some values of a dimension came to in each local day or hour, and all others together. As for `consumption`; the window
 * may be as long as the answer bears.
 */
export function courses(
  tx: MandantTx,
  { window, by, where = null }: Question & { by: DimensionName },
  values: string[],
  bucket: 'tag' | 'stunde',
  now: Temporal.Instant,
): Promise<CourseRow[]> {
  const byHour = bucket === 'stunde';
  const source = { window, stretches: splitWindow(window, GRAINS_BY[bucket] ?? ALL_GRAINS, now) };
  const total = rowsOf(tx, source, where ? ofValue(tx, where) : ofAll, FIGURE_NAMES, byHour);
  return readCourses(tx, { by, values, where, byHour, source, total });
}

export interface DayConsumption {
  /** Most expensive first, unknown costs last, then by project and end customer ('' for none). */
  zeilen: ProjectRow[];
  rest: (SumsRow & { gruppen: number }) | null;
  summe: SumsRow;
  hasMore: boolean;
}

/** What the calls of a local day add up to by project and end customer, a page of it. As for `consumption`. */
export async function consumptionByProject(
  tx: MandantTx,
  day: Window,
  page: { limit: number; after: ProjectPosition | null },
  now: Temporal.Instant,
): Promise<DayConsumption> {
  const source = { window: day, stretches: splitWindow(day, ALL_GRAINS, now) };
  const { rest, ...groups } = await readDay(tx, day, rowsOf(tx, source, ofAll, FIGURE_NAMES), page);
  return { ...groups, rest: rest.gruppen > 0 ? rest : null };
}

/** What calls cost that were converted at the substitute rate, by value, local day and rate. As for `consumption`. */
export const substituted = (
  tx: MandantTx,
  { window, by }: { window: Window; by: DimensionName },
  now: Temporal.Instant,
): Promise<SubstitutedRow[]> =>
  readSubstituted(tx, { window, stretches: splitWindow(window, ['stunde'], now) }, by);

/** SELECT of the values (as `schluessel`) that have a call in the window. */
export function keysWithCalls(tx: MandantTx, window: Window, by: DimensionName, now: Temporal.Instant): Part {
  const source = { window, stretches: splitWindow(window, ALL_GRAINS, now) };
  return sql`SELECT m.text AS schluessel FROM (
      SELECT merkmal_id FROM (${rowsOf(tx, source, allOf(by), ['aufrufe'])}) r
      GROUP BY merkmal_id HAVING sum(aufrufe) > 0) s
    CROSS JOIN LATERAL (
      SELECT text FROM merkmale WHERE mandant_id = ${tx.mandant} AND merkmal_id = s.merkmal_id LIMIT 1) m`;
}
