/** What was spent on budgets: derived from the sums each time, never counted apart. */
import { BUDGET_ARTEN, DIMENSIONS } from '#contracts';
import { costsSince } from '#domains/verbrauch/index.ts';
import { type Eur, eurFrom } from '#kernel/money.ts';
import type { Ask } from '#platform/database/index.ts';
import { type Month, WINDOWS, type WindowName } from './month.ts';
import type { Spend } from './rules.ts';

/** What may have a budget; also the dimension its spend is summed by. */
export const ARTEN = BUDGET_ARTEN;
export type Art = (typeof ARTEN)[number];

/** Whether its sums are kept by the minute: without them only the window of three days is known. */
export const hasMinutes = (art: Art): boolean => DIMENSIONS[art].minutes;

/** How much is asked: the month; the last day, too; all windows, too. */
export type Depth = 'month' | 'day' | 'windows';

const NOTHING = eurFrom('0');
const DAY = 86_400_000;
const SHORT = ['1h', '30m', '5m'] as const satisfies WindowName[];

const before = ({ now }: Month, milliseconds: number) => new Date(now - milliseconds).toISOString();
const amounts = (texts: string[] | undefined): Eur[] => (texts ?? []).map(eurFrom);

/**
 * What was spent on objects of one kind, by key; those without any spend are in it, too. What was not asked, or is not kept, is 0. Sums
 * by the minute reach back 48 hours: longer windows are taken from the hours that began within them.
 */
export async function readSpend(
  ask: Ask,
  mandant: string,
  art: Art,
  keys: readonly string[],
  month: Month,
  depth: Depth,
): Promise<Map<string, Spend>> {
  const about = { mandant, dimension: art, values: keys };
  const none = new Map<string, string[]>();
  const until = before(month, 0);
  const [months, hours, minutes] = [
    await costsSince(ask, { ...about, grain: 'tag', since: [`${month.first}`], until: `${month.next}` }),
    depth === 'month'
      ? none
      : await costsSince(ask, {
          ...about,
          grain: 'stunde',
          since: [before(month, WINDOWS['3d']), before(month, DAY)],
          until,
        }),
    depth === 'windows' && hasMinutes(art)
      ? await costsSince(ask, {
          ...about,
          grain: 'minute',
          since: [before(month, WINDOWS['6h']), ...SHORT.map((name) => before(month, WINDOWS[name]))],
          until,
        })
      : none,
  ];
  const spendOf = (key: string): Spend => {
    const [inMonth = NOTHING] = amounts(months.get(key));
    const [inThreeDays = NOTHING, inDay = NOTHING] = amounts(hours.get(key));
    const [inSixHours = NOTHING, ...short] = amounts(minutes.get(key));
    const shorter = SHORT.map((name, index) => [name, short[index] ?? NOTHING] as const);
    const windows = { '3d': inThreeDays, '6h': inSixHours, ...Object.fromEntries(shorter) };
    return { month: inMonth, day: inDay, windows: windows as Spend['windows'] };
  };
  return new Map(keys.map((key) => [key, spendOf(key)]));
}
