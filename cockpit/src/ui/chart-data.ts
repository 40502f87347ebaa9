/** What a chart over time is drawn from. Amounts stay decimal strings; only positions in the picture are floats. */
import type { AxisKind } from '../format/axis.ts';
import { sumDecimals } from '../format/decimal.ts';

/** An hour or a day on the axis. */
export interface Bucket {
  key: string;
  /** Short label below the column. */
  tick: string;
  /** Full name. */
  title: string;
  /** It is not over yet and is drawn hatched. */
  running?: boolean;
  /** Further lines of what is shown on hover. */
  details?: { label: string; value: string }[];
}

/** One colour of the columns: a decimal string for every bucket, null where nothing is known. */
export interface Series {
  schluessel: string;
  label: string;
  werte: (string | null)[];
  /** All the others together: drawn in grey. */
  rest?: boolean;
}

export interface ChartData {
  buckets: Bucket[];
  /** From the bottom up, at most eight and the rest. */
  series: Series[];
  /** The period before, bucket by bucket; null draws no line. */
  previous: (string | null)[] | null;
  /** What is measured; money in EUR. */
  kind: AxisKind;
}

/** The height of a chart: it grows with the window, from 216 to 320 pixels. */
export const chartHeight = 'h-[clamp(13.5rem,25vw,20rem)]';

/** All series of a bucket together; null when nothing is known. */
export const totalAt = (series: Series[], index: number): string | null =>
  sumDecimals(series.map(({ werte }) => werte[index] ?? null));

/** How high the picture has to reach. */
export function highestOf({ buckets, series, previous }: ChartData): number {
  const totals = buckets.map((_, index) => Number(totalAt(series, index) ?? 0));
  return Math.max(0, ...totals, ...(previous ?? []).map((value) => Number(value ?? 0)));
}
