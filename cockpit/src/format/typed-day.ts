/** Days as people type them into a field, and as the service reads them. */

/** `YYYY-MM-DD`, or the day first: `26.11.2026`, `26/11/2026`. */
const FORMS = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
];

/** The day `YYYY-MM-DD` that was typed; null where it is none of the calendar. */
export function readDay(text: string): string | null {
  for (const form of FORMS) {
    const { year, month, day } = form.exec(text.trim())?.groups ?? {};
    if (!year || !month || !day) continue;
    const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    const instant = new Date(`${iso}T00:00:00Z`);
    // JavaScript makes the 2nd of March of a 30th of February.
    const isReal = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(iso);
    return isReal ? iso : null;
  }
  return null;
}
