/** Which part of which rollup a window is read from. */
import { type Fenster, hourStart, isStorable, nextHour, toUtc, wholeHours } from '#kernel/zeitraum.ts';

/** A stretch of one rollup: whole local days `von` to before `bis`, or hours of the one local day `tag`. */
export type Abschnitt =
  | { tabelle: 'tag'; von: string; bis: string }
  | { tabelle: 'stunde'; tag: string; von: string; bis: string };

/** Why a window cannot be answered; `feld` is the query parameter at fault. */
export interface WindowFault {
  feld: 'von' | 'bis';
  grund: string;
}

const DEFAULT_DAYS = 30;
const MAX_YEARS = 10;

/** A day is its local midnight; an instant is itself. */
function toLocal(text: string, zone: string): Temporal.ZonedDateTime {
  return text.length === 10
    ? Temporal.PlainDate.from(text).toZonedDateTime(zone)
    : Temporal.Instant.from(text).toZonedDateTimeISO(zone);
}

/** Where a window begins that only says where it ends: local midnight 30 days ago, or 30 days before `bis`. */
function defaultStart(bis: string | undefined, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (bis === undefined) return now.startOfDay().subtract({ days: DEFAULT_DAYS });
  return toLocal(bis, now.timeZoneId).subtract({ days: DEFAULT_DAYS });
}

/**
 * The window of a consumption query (`YYYY-MM-DD` or ISO 8601 in UTC, both optional), widened to whole local hours;
 * without `bis` it ends with the current hour.
 */
export function resolveWindow(
  query: { von?: string | undefined; bis?: string | undefined },
  instant: Temporal.Instant,
  zone: string,
): Fenster | WindowFault {
  const now = instant.toZonedDateTimeISO(zone);
  const bis = query.bis === undefined ? nextHour(hourStart(now)) : toLocal(query.bis, zone);
  const von = query.von === undefined ? defaultStart(query.bis, now) : toLocal(query.von, zone);
  if (!isStorable(bis)) return { feld: 'bis', grund: 'bis liegt außerhalb der Jahre 1970 bis 9998' };
  if (!isStorable(von)) return { feld: 'von', grund: 'von liegt außerhalb der Jahre 1970 bis 9998' };
  if (Temporal.ZonedDateTime.compare(von, bis) >= 0) return { feld: 'von', grund: 'von muss vor bis liegen' };
  if (Temporal.ZonedDateTime.compare(von.add({ years: MAX_YEARS }), bis) < 0) {
    return { feld: 'von', grund: 'zwischen von und bis dürfen höchstens 10 Jahre liegen' };
  }
  return wholeHours({ von, bis });
}

const hours = (von: Temporal.ZonedDateTime, bis: Temporal.ZonedDateTime): Abschnitt => ({
  tabelle: 'stunde',
  tag: von.toPlainDate().toString(),
  von: toUtc(von),
  bis: toUtc(bis),
});

/** Splits a window of whole hours into its whole local days and the hours at both ends. */
export function splitWindow({ von, bis }: Fenster): Abschnitt[] {
  const midnight = von.startOfDay();
  const first = midnight.equals(von) ? von : midnight.add({ days: 1 }).startOfDay();
  const last = bis.startOfDay();
  if (Temporal.ZonedDateTime.compare(first, last) > 0) return [hours(von, bis)];
  const days: Abschnitt = {
    tabelle: 'tag',
    von: first.toPlainDate().toString(),
    bis: last.toPlainDate().toString(),
  };
  return [hours(von, first), days, hours(last, bis)].filter((abschnitt) => abschnitt.von !== abschnitt.bis);
}
