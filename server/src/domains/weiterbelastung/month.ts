/** Months in a Mandant's time zone, as `YYYY-MM`. */
import { InvalidInput } from '#kernel/errors.ts';
import { isStorable, type Window } from '#kernel/zeitraum.ts';

/** `laeuft`: not over; `offen`: over, figures may change; `geschlossen`: billed. */
export type MonthStatus = 'laeuft' | 'offen' | 'geschlossen';

/** The local month of an instant. */
export const monthOf = (instant: Temporal.Instant, zone: string): string =>
  instant.toZonedDateTimeISO(zone).toPlainDate().toPlainYearMonth().toString();

/** The month that is asked for, the current one when none is. Throws InvalidInput for one before 1970 or still to come. */
export function requireMonth(monat: string | undefined, now: Temporal.Instant, zone: string): string {
  const current = monthOf(now, zone);
  if (monat === undefined) return current;
  const known = /^\d{4}-(0[1-9]|1[0-2])$/.test(monat) && isStorable(Temporal.PlainYearMonth.from(monat));
  if (known && monat <= current) return monat;
  throw new InvalidInput({
    path: ['monat'],
    input: monat,
    reason: {
      de: 'muss ein Monat wie 2026-10 sein, nicht vor 1970 und nicht in der Zukunft',
      en: 'must be a month like 2026-10, not before 1970 and not in the future',
    },
  });
}

export const monthAfter = (monat: string): string =>
  Temporal.PlainYearMonth.from(monat).add({ months: 1 }).toString();

export const monthBefore = (monat: string): string =>
  Temporal.PlainYearMonth.from(monat).subtract({ months: 1 }).toString();

/** From local midnight of its first day to that of the next month's. */
export function windowOf(monat: string, zone: string): Window {
  const first = (month: string) => Temporal.PlainDate.from(`${month}-01`).toZonedDateTime(zone);
  return { von: first(monat), bis: first(monthAfter(monat)) };
}

/** From one midnight to the next one, there. */
export function dayIn(tag: string, zone: string): Window {
  const von = Temporal.PlainDate.from(tag).toZonedDateTime(zone);
  return { von, bis: von.add({ days: 1 }) };
}

/** As much of the month before as has passed of this one: all of it when this one is over. */
export function comparableBefore(monat: string, now: Temporal.Instant, zone: string): Window {
  const { von, bis } = windowOf(monthBefore(monat), zone);
  if (monthOf(now, zone) !== monat) return { von, bis };
  const local = now.toZonedDateTimeISO(zone);
  const until = von.add({ days: local.day - 1 }).add({ hours: local.hour });
  return { von, bis: Temporal.ZonedDateTime.compare(until, bis) < 0 ? until : bis };
}

/** Every day of it, `YYYY-MM-DD`. */
export function daysOf(monat: string): string[] {
  const month = Temporal.PlainYearMonth.from(monat);
  return Array.from({ length: month.daysInMonth }, (_, index) =>
    month.toPlainDate({ day: index + 1 }).toString(),
  );
}
