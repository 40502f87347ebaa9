/** Months as providers have them, and the order of names. */
import { windowOf } from '#domains/weiterbelastung/index.ts';
import type { Window } from '#kernel/zeitraum.ts';

/** The month in UTC as local hours; null where these begin in the middle of hours in UTC. */
export function utcWindow(monat: string, zone: string): Window | null {
  const { von, bis } = windowOf(monat, 'UTC');
  const local = { von: von.withTimeZone(zone), bis: bis.withTimeZone(zone) };
  return local.von.minute === 0 && local.bis.minute === 0 ? local : null;
}

/** By name, those without one last. */
export const byName = (a: string, b: string): number => {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
};
