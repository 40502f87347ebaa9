/** When work happens: business hours in Germany, quiet weekends, nearly empty nights. */

export const ZONE = 'Europe/Berlin';
export const HOUR = 3_600_000;

/** Relative activity by local hour of the day. */
const BUSINESS_HOURS = [
  0.4, 0.3, 0.3, 0.3, 0.4, 1, 3, 18, 58, 92, 100, 96, 70, 78, 96, 90, 74, 48, 22, 12, 8, 5, 2, 1,
];
const SATURDAY = 6;

export interface Rhythm {
  /** Share of a workday's work by local hour. */
  hours: readonly number[];
  /** How much of it is done on a day of the weekend. */
  weekend: number;
}

function rhythm(weights: readonly number[], weekend: number): Rhythm {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { hours: weights.map((weight) => weight / total), weekend };
}

export const OFFICE = rhythm(BUSINESS_HOURS, 0.2);
/** Never quite silent, so that there is something to see at any time. */
export const ROUND_THE_CLOCK = rhythm(
  BUSINESS_HOURS.map((weight) => Math.max(weight, 30)),
  0.6,
);

/** Share of a workday's work that falls into the hour beginning at `start` (epoch milliseconds, a full hour). */
export function shareOf(start: number, { hours, weekend }: Rhythm): number {
  const local = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(ZONE);
  return (hours[local.hour] ?? 0) * (local.dayOfWeek >= SATURDAY ? weekend : 1);
}

/** Local day of the instant, `YYYY-MM-DD`. */
export const localDay = (instant: number): string =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(ZONE).toPlainDate().toString();
