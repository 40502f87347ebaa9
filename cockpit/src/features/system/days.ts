/** What the bars of a part say: of each day, and of all of them. */
import type { Zustandstag } from '../../api/types.ts';

export type DayState = 'ok' | 'limited' | 'broken' | 'unknown';

/** The worst of what was seen on a day; a moment of it is enough. */
export function stateOf(day: Zustandstag): DayState {
  if (day.gestoert_sekunden > 0) return 'broken';
  if (day.eingeschraenkt_sekunden > 0) return 'limited';
  return day.ok_sekunden > 0 ? 'ok' : 'unknown';
}

export interface Summary {
  /** Seconds that are known, and those of them in which the part worked. */
  known: number;
  ok: number;
  /** Days with a disturbance, and the last of them. */
  disturbed: number;
  lastDisturbed: string | null;
  /** Days of which nothing is known. */
  unknown: number;
}

export function summaryOf(days: readonly Zustandstag[]): Summary {
  const summary: Summary = { known: 0, ok: 0, disturbed: 0, lastDisturbed: null, unknown: 0 };
  for (const day of days) {
    const state = stateOf(day);
    summary.known += day.ok_sekunden + day.eingeschraenkt_sekunden + day.gestoert_sekunden;
    summary.ok += day.ok_sekunden;
    if (state === 'unknown') summary.unknown += 1;
    if (state === 'ok' || state === 'unknown') continue;
    summary.disturbed += 1;
    summary.lastDisturbed = day.tag;
  }
  return summary;
}

/**
 * A share in parts of ten thousand, rounded away from the ends: only what worked all the time is 100 %, and only what never did
 * is 0 %.
 */
export function tenThousandths(part: number, whole: number): number {
  if (part === whole) return 10_000;
  if (part === 0) return 0;
  return Math.min(9_999, Math.max(1, Math.round((part * 10_000) / whole)));
}
