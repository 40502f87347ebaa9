/** Lengths of time as people write them in settings. */

const MINUTES: Record<string, number> = { m: 1, h: 60, d: 1_440 };

/** Minutes of a duration `15m`, `24h`, `7d`; null for anything else. At most 366 days. */
export function minutesOf(duration: string): number | null {
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(duration) ?? [];
  if (!count || !unit) return null;
  const minutes = Number(count) * (MINUTES[unit] as number);
  return minutes <= 366 * 1_440 ? minutes : null;
}
