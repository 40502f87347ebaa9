/** What went wrong in the demo's past: an afternoon with a provider down, and nights in which an agent ran in circles. */
import { ZONE } from './rhythm.ts';

export interface Loop {
  /** Epoch milliseconds. */
  beginn: number;
  schritte: number;
}

export interface Incidents {
  /** Whether the provider that fails is failing at an instant (epoch milliseconds). */
  isOutage(at: number): boolean;
  /** The runaway run that begins within the span; null when none does. */
  loopIn(von: number, bis: number): Loop | null;
}

export const OUTAGE_PROVIDER = 'anthropic';
const OUTAGE_DAYS_AGO = 10;
const OUTAGE_MS = 95 * 60_000;
/** Somebody noticed sooner, or later. All of the last week: what is older when it comes in is not looked at any more. */
const LOOPS = [
  { daysAgo: 6, plainTime: '22:40', schritte: 1_400 },
  { daysAgo: 4, plainTime: '21:15', schritte: 420 },
  { daysAgo: 2, plainTime: '23:05', schritte: 160 },
];
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
  const loops = LOOPS.map(({ daysAgo, plainTime, schritte }) => ({
    start: at(today.subtract({ days: daysAgo }), plainTime),
    schritte,
  }));
  const since = (start: number, instant: number) => (((instant - start) % CYCLE_MS) + CYCLE_MS) % CYCLE_MS;
  return {
    isOutage: (instant) => since(outage, instant) < OUTAGE_MS,
    loopIn(von, bis) {
      for (const { start, schritte } of loops) {
        const beginn = von + ((CYCLE_MS - since(start, von)) % CYCLE_MS);
        if (beginn < bis) return { beginn, schritte };
      }
      return null;
    },
  };
}
