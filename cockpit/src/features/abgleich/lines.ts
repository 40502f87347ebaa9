/** What the table shows: providers by month, and all providers of a month. */
import type { Abgleichsumme, Abgleichzeile } from '../../api/types.ts';

export type Line = Abgleichzeile | Abgleichsumme;

export const isSum = (line: Line): line is Abgleichsumme => 'verglichen' in line;

/** The rows, behind the last one of each month its sum; a month of a single row is its own. The same sum may come with several pages. */
export function linesOf(rows: readonly Abgleichzeile[], sums: readonly Abgleichsumme[]): Line[] {
  const ofMonth = new Map(sums.map((sum) => [sum.monat, sum]));
  return rows.flatMap((row, index): Line[] => {
    const sum = ofMonth.get(row.monat);
    const isLast = rows[index + 1]?.monat !== row.monat;
    return isLast && sum && sum.anbieter > 1 ? [row, sum] : [row];
  });
}
