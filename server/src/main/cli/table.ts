/** Tables in a terminal. */

/** Columns as wide as their widest cell, two blanks apart; nothing at all stays empty cells. */
export function formatTable(head: string[], rows: (string | number | null)[][]): string[] {
  const lines = [head, ...rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? '')].length)));
  return lines.map((line) =>
    line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
}

/** `2026-11-03 14:05` in the given time zone; null stays null. */
export function formatInstant(instant: string | Date | null, timeZone: string): string | null {
  if (instant === null) return null;
  const text = typeof instant === 'string' ? instant : instant.toISOString();
  return Temporal.Instant.from(text)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
}
