/** What was spent on budgets: derived from the sums each time, never counted apart. */
import { BUDGET_ARTEN, DIMENSIONS } from '#contracts';
import { type CostQuestion, type Costs, keyCostsSince } from '#domains/verbrauch/index.ts';
import { type Eur, eurFrom } from '#kernel/money.ts';
import type { Ask } from '#platform/database/index.ts';
import { type Month, WINDOWS, type WindowName } from './month.ts';
import type { Spend } from './rules.ts';

/** What may have a budget; but for API keys also the dimension its spend is summed by. */
export const ARTEN = BUDGET_ARTEN;
export type Art = (typeof ARTEN)[number];

/** Whether its sums are kept by the minute: without them only the window of three days is known. */
export const hasMinutes = (art: Art): boolean => art !== 'schluessel' && DIMENSIONS[art].minutes;

/** How much is asked: the month; the last day, too; all windows, too. */
export type Depth = 'month' | 'day' | 'windows';

/** Whom to ask what values cost. */
export interface CostsOf {
  ask: Ask;
  /** Null of a value that has no running sums. */
  costs(question: CostQuestion): Promise<Costs>;
}

const NOTHING = eurFrom('0');
const DAY = 86_400_000;
const SHORT = ['1h', '30m', '5m'] as const satisfies WindowName[];

const before = ({ now }: Month, milliseconds: number) => new Date(now - milliseconds).toISOString();
const amounts = (texts: string[] | null | undefined): Eur[] => (texts ?? []).map(eurFrom);

/** Instants: from when on it is asked for, and until when. */
interface Times {
  since: readonly [string, ...string[]];
  until: string;
}

/** Local days, and in which zone they begin. */
interface Days extends Times {
  zone: string;
}

const beginOf = (day: string, zone: string): string =>
  Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant().toString();

/** What was spent on objects of one kind from each of these instants on, by the hour: texts in EUR by the position of the instant. */
const costsByHour = (
  { ask, costs }: CostsOf,
  mandant: string,
  art: Art,
  keys: readonly string[],
  { since, until }: Times,
): Promise<Costs> =>
  art === 'schluessel'
    ? keyCostsSince(ask, { mandant, schluessel: keys, since, until })
    : costs({ mandant, dimension: art, values: keys, grain: 'stunde', since, until });

/** The same from each of these local days on. */
export function costsByDay(
  of: CostsOf,
  mandant: string,
  art: Art,
  keys: readonly string[],
  { since: [first, ...others], until, zone }: Days,
): Promise<Costs> {
  return costsByHour(of, mandant, art, keys, {
    since: [beginOf(first, zone), ...others.map((day) => beginOf(day, zone))],
    until: beginOf(until, zone),
  });
}

/**
 * What was spent on objects of one kind, by key; those without any spend are in it, too, null those that have no running sums. What was
 * not asked, or is not kept, is 0. Sums by the minute reach back 48 hours: longer windows are taken from the hours that began within them.
 */
export async function readSpend(
  of: CostsOf,
  mandant: string,
  art: Art,
  keys: readonly string[],
  month: Month,
  depth: Depth,
): Promise<Map<string, Spend | null>> {
  const none: Costs = new Map();
  const until = before(month, 0);
  const [months, hours, minutes] = [
    await costsByDay(of, mandant, art, keys, {
      since: [`${month.first}`],
      until: `${month.next}`,
      zone: month.zone,
    }),
    depth === 'month'
      ? none
      : await costsByHour(of, mandant, art, keys, {
          since: [before(month, WINDOWS['3d']), before(month, DAY)],
          until,
        }),
    depth === 'windows' && art !== 'schluessel' && hasMinutes(art)
      ? await of.costs({
          mandant,
          dimension: art,
          values: keys,
          grain: 'minute',
          since: [before(month, WINDOWS['6h']), ...SHORT.map((name) => before(month, WINDOWS[name]))],
          until,
        })
      : none,
  ];
  const spendOf = (key: string): Spend | null => {
    if ([months, hours, minutes].some((costs) => costs.get(key) === null)) return null;
    const [inMonth = NOTHING] = amounts(months.get(key));
    const [inThreeDays = NOTHING, inDay = NOTHING] = amounts(hours.get(key));
    const [inSixHours = NOTHING, ...short] = amounts(minutes.get(key));
    const shorter = SHORT.map((name, index) => [name, short[index] ?? NOTHING] as const);
    const windows = { '3d': inThreeDays, '6h': inSixHours, ...Object.fromEntries(shorter) };
    return { month: inMonth, day: inDay, windows: windows as Spend['windows'] };
  };
  return new Map(keys.map((key) => [key, spendOf(key)]));
}
