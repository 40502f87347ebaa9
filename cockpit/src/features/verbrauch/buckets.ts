/** Which of the hours or days of a course is not over yet. */
import type { VerbrauchZeile } from '../../api/types.ts';
import { dayOf } from '../../format/date.ts';

/** A course as the service gives it: a row for every hour (instant with offset) or day that has begun. */
export interface Course {
  /** Exclusive end of the period. */
  bis: string;
  zeitzone: string;
  aufloesung: 'stunde' | 'tag';
  verlauf: VerbrauchZeile[];
}

const hourMs = 3_600_000;

/** The hours of the period that are still to come, so that the axis of a day does not grow while it runs. */
export function hoursToCome({ bis, aufloesung, verlauf }: Course): string[] {
  const last = verlauf.at(-1)?.schluessel;
  if (aufloesung === 'tag' || last === undefined) return [];
  const keys: string[] = [];
  for (let hour = new Date(last).getTime() + hourMs; hour < new Date(bis).getTime(); hour += hourMs) {
    keys.push(new Date(hour).toISOString());
  }
  return keys;
}

/** Key of the hour or day that contains `now`; undefined when the course ended before. */
export function runningKey({ zeitzone, aufloesung, verlauf }: Course, now: Date): string | undefined {
  const last = verlauf.at(-1)?.schluessel;
  if (last === undefined) return undefined;
  if (aufloesung === 'tag') return last === dayOf(now, zeitzone) ? last : undefined;
  const begin = new Date(last).getTime();
  return begin <= now.getTime() && now.getTime() < begin + hourMs ? last : undefined;
}
