/**
 * When a budget is spent, will be spent, or is spent too fast: pure decisions on exact amounts. Nothing is rounded before it is
 * compared; what is shown is rounded down, so that no share is shown as reached that is not.
 */
import { EUR_SCALE, type Eur, scaledFrom, textOf } from '#kernel/money.ts';
import { type Month, WINDOWS, type WindowName } from './month.ts';

/** What was spent, in EUR. */
export interface Spend {
  /** In this month. */
  month: Eur;
  /** In the whole local hours of the last 24 hours (`Month.covered`). */
  day: Eur;
  /** In the windows that end now; where a window does not begin with a sum of its own, without what lies before the next one. */
  windows: Record<WindowName, Eur>;
}

const ms = (milliseconds: number) => BigInt(milliseconds);

/** Whether at least this whole percentage of the budget is spent; of a budget of 0, once anything is. */
export const isReached = (spent: Eur, budget: Eur, percent: number): boolean =>
  spent > 0n && spent * 100n >= budget * BigInt(percent);

/** The percentage spent, with two decimals, rounded down; null of a budget of 0. */
export const percentOf = (amount: bigint, budget: Eur): string | null =>
  budget === 0n ? null : textOf((amount * 10_000n) / budget, 2);

/**
 * What the month will have cost at its end, at the rate of the last 24 hours. As a fraction: exactly this many EUR (of the scale of
 * amounts) over `parts`.
 */
function forecast({ month: spent, day }: Pick<Spend, 'month' | 'day'>, { now, ends, covered }: Month) {
  return { amount: spent * ms(covered) + day * ms(ends - now), parts: ms(covered) };
}

/** The same to the cent, rounded down. */
export function forecastText(spend: Pick<Spend, 'month' | 'day'>, month: Month): string {
  const { amount, parts } = forecast(spend, month);
  return textOf(amount / (parts * 10n ** BigInt(EUR_SCALE - 2)), 2);
}

/** Whether the forecast is more than `schwelle` percent (a plain decimal) of the budget, with enough of the month gone. */
export function isForecastTooHigh(
  spend: Spend,
  budget: Eur,
  month: Month,
  { schwelle, mindestProzent }: { schwelle: string; mindestProzent: number },
): boolean {
  const gone = ms(month.now - month.begins) * 100n;
  if (gone < ms(month.ends - month.begins) * BigInt(mindestProzent)) return false;
  const { amount, parts } = forecast(spend, month);
  const limit = budget * scaledFrom(schwelle, EUR_SCALE) * parts;
  return amount * 100n * 10n ** BigInt(EUR_SCALE) > limit;
}

/** A burn rate: the share spent in a window by the share of the month that it is. As a fraction. */
const burn = (spent: Eur, budget: Eur, window: WindowName, { begins, ends }: Month) => ({
  amount: spent * ms(ends - begins),
  parts: budget * ms(WINDOWS[window]),
});

/** The same with two decimals, rounded down; null of a budget of 0. */
export function burnText(spend: Spend, budget: Eur, window: WindowName, month: Month): string | null {
  const { amount, parts } = burn(spend.windows[window], budget, window, month);
  return parts === 0n ? null : textOf((amount * 100n) / parts, 2);
}

/** Which rates are too high over which two windows together, the highest first; in tenths. */
export const PAIRS = [
  { tenths: 144n, long: '1h', short: '5m' },
  { tenths: 60n, long: '6h', short: '30m' },
  { tenths: 10n, long: '3d', short: '6h' },
] as const satisfies { tenths: bigint; long: WindowName; short: WindowName }[];

export type Pair = (typeof PAIRS)[number];

/** The first pair over both windows of which the rate is at least its own times `schwelle` (a plain decimal); null for none. */
export function pairExceeded(spend: Spend, budget: Eur, month: Month, schwelle: string): Pair | null {
  const scale = 10n ** BigInt(EUR_SCALE);
  const exceeds = (window: WindowName, tenths: bigint) => {
    const spent = spend.windows[window];
    const { amount, parts } = burn(spent, budget, window, month);
    return spent > 0n && amount * 10n * scale >= parts * tenths * scaledFrom(schwelle, EUR_SCALE);
  };
  return PAIRS.find(({ tenths, long, short }) => exceeds(long, tenths) && exceeds(short, tenths)) ?? null;
}
