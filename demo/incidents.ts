/** What went wrong in the demo's past: an afternoon with a provider down, and a night in which an agent ran in circles. */
import { ZONE } from './rhythm.ts';

export interface Incidents {
  /** Whether the provider that fails is failing at an instant (epoch milliseconds). */
  isOutage(at: number): boolean;
  /** Instant at which a runaway run begins within the span; null when none does. */
  loopIn(von: number, bis: number): number | null;
}

export const OUTAGE_PROVIDER = 'anthropic';
const OUTAGE_DAYS_AGO = 10;
const OUTAGE_MS = 95 * 60_000;
const LOOP_DAYS_AGO = 6;
/** They come again every four weeks, so that a demo kept for long shows them, too. */
const CYCLE_MS = 28 * 86_400_000;

const FRIDAY = 5;

/** `beginn` is the demo's first start; the incidents lie some days before it. */
export function createIncidents(beginn: number): Incidents {
  const today = Temporal.Instant.fromEpochMilliseconds(beginn).toZonedDateTimeISO(ZONE).toPlainDate();
  const at = (day: Temporal.PlainDate, plainTime: string) =>
    day.toZonedDateTime({ timeZone: ZONE, plainTime }).epochMilliseconds;
  let outageDay = today.subtract({ days: OUTAGE_DAYS_AGO });
  while (outageDay.dayOfWeek > FRIDAY) outageDay = outageDay.subtract({ days: 1 });
  const outage = at(outageDay, '14:10');
  const loop = at(today.subtract({ days: LOOP_DAYS_AGO }), '22:40');
  const since = (start: number, instant: number) => (((instant - start) % CYCLE_MS) + CYCLE_MS) % CYCLE_MS;
  return {
    isOutage: (instant) => since(outage, instant) < OUTAGE_MS,
    loopIn(von, bis) {
      const next = von + ((CYCLE_MS - since(loop, von)) % CYCLE_MS);
      return next < bis ? next : null;
    },
  };
}
