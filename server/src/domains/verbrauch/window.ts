/** Which window a query asks for. */
import type { Sentence } from '#kernel/sentence.ts';
import { atLocal, hourStart, isReadable, nextHour, type Window, wholeHours } from '#kernel/zeitraum.ts';

/** Why a window cannot be answered; `field` is the query parameter at fault. */
export interface WindowFault {
  field: 'von' | 'bis';
  reason: Sentence;
}

const DEFAULT_DAYS = 30;
const MAX_YEARS = 10;

/** Where a window begins that only says where it ends: local midnight 30 days ago, or 30 days before `bis`. */
function defaultStart(bis: string | undefined, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (bis === undefined) return now.startOfDay().subtract({ days: DEFAULT_DAYS });
  return atLocal(bis, now.timeZoneId).subtract({ days: DEFAULT_DAYS });
}

/**
 * The window of a consumption query (`YYYY-MM-DD` or ISO 8601 in UTC, both optional), widened to whole local hours;
 * without `bis` it ends with the current hour.
 */
export function resolveWindow(
  query: { von?: string | undefined; bis?: string | undefined },
  instant: Temporal.Instant,
  zone: string,
): Window | WindowFault {
  const now = instant.toZonedDateTimeISO(zone);
  const bis = query.bis === undefined ? nextHour(hourStart(now)) : atLocal(query.bis, zone);
  const von = query.von === undefined ? defaultStart(query.bis, now) : atLocal(query.von, zone);
  // Windows reach back to the year 1: there may be events that were counted before those before 1970 were refused.
  if (!isReadable(bis))
    return {
      field: 'bis',
      reason: { de: 'bis liegt außerhalb der Jahre 1 bis 9998', en: 'bis is outside the years 1 to 9998' },
    };
  if (!isReadable(von))
    return {
      field: 'von',
      reason: { de: 'von liegt außerhalb der Jahre 1 bis 9998', en: 'von is outside the years 1 to 9998' },
    };
  if (Temporal.ZonedDateTime.compare(von, bis) >= 0)
    return { field: 'von', reason: { de: 'von muss vor bis liegen', en: 'von must be before bis' } };
  if (Temporal.ZonedDateTime.compare(von.add({ years: MAX_YEARS }), bis) < 0) {
    return {
      field: 'von',
      reason: {
        de: 'zwischen von und bis dürfen höchstens 10 Jahre liegen',
        en: 'between von and bis there may be 10 years at most',
      },
    };
  }
  return wholeHours({ von, bis });
}

export const dayAfter = (day: Temporal.ZonedDateTime): Temporal.ZonedDateTime =>
  day.toPlainDate().add({ days: 1 }).toZonedDateTime(day.timeZoneId);
