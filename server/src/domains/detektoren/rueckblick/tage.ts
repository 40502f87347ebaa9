/** The local days of a look back. No input or output here. */

export interface Tag {
  datum: string;
  von: Temporal.Instant;
  bis: Temporal.Instant;
}

export interface Zeitraum {
  /** Local days, both included. */
  von: Temporal.PlainDate;
  bis: Temporal.PlainDate;
}

/** The last `count` local days; the last of them is that of `now`. */
export function lastDays(count: number, now: Temporal.Instant, zone: string): Zeitraum {
  const bis = now.toZonedDateTimeISO(zone).toPlainDate();
  return { von: bis.subtract({ days: count - 1 }), bis };
}

/** How many days that are. */
export const countDays = ({ von, bis }: Zeitraum): number => von.until(bis, { largestUnit: 'days' }).days + 1;

/** Each of the days, in order. */
export function daysOf(zeitraum: Zeitraum, zone: string): Tag[] {
  return Array.from({ length: countDays(zeitraum) }, (_, index) => {
    const day = zeitraum.von.add({ days: index });
    return {
      datum: day.toString(),
      von: day.toZonedDateTime(zone).toInstant(),
      bis: day.add({ days: 1 }).toZonedDateTime(zone).toInstant(),
    };
  });
}
