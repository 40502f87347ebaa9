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

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `12,5 MiB`; beyond tebibytes it stays with them. */
export function formatBytes(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = (bytes / 1024 ** unit).toLocaleString('de-DE', { maximumFractionDigits: 1 });
  return `${amount} ${UNITS[unit]}`;
}
