/** Days, hours and minutes as the engine and as answers have them. */
import type { TimeColumn } from '../pieces/columns.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** A day as `YYYY-MM-DD`, an hour or a minute as ISO 8601 in UTC. */
export function textOfTime(time: TimeColumn, value: number): string {
  const text = new Date(value * (time === 'tag' ? DAY : MINUTE)).toISOString();
  return time === 'tag' ? text.slice(0, 10) : text.replace('.000Z', '+00:00');
}

/** And back. */
export const timeOfText = (time: TimeColumn, text: string): number =>
  time === 'tag'
    ? Date.parse(`${text}T00:00:00Z`) / DAY
    : Temporal.Instant.from(text).epochMilliseconds / MINUTE;
