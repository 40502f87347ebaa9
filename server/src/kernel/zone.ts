/** Time zones by their IANA name. */

/** The zone a text names, in its usual spelling; null for what is none. */
export function zoneOf(text: string): string | null {
  // PostgreSQL reads the sign of a bare offset the other way round.
  if (/^[+-]/.test(text)) return null;
  try {
    return new Temporal.ZonedDateTime(0n, text).timeZoneId;
  } catch {
    return null;
  }
}
