/** Local hours and days, and instants as the database gives them. */

/** Beginning of the local hour or day that contains an instant. */
export function localBegin(
  instant: Temporal.Instant,
  unit: 'hour' | 'day',
  zone: string,
): Temporal.ZonedDateTime {
  const local = instant.toZonedDateTimeISO(zone);
  return unit === 'day' ? local.startOfDay() : local.round({ smallestUnit: 'hour', roundingMode: 'floor' });
}

/** As the database gives instants. */
export const isoOf = (at: Temporal.ZonedDateTime | Temporal.Instant): string =>
  (at instanceof Temporal.ZonedDateTime ? at.toInstant() : at).toString();
