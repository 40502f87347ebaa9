/**
 * A Mandant's own dimensions: keys of the free data of events. Which they are goes by when a call was received, so that a change of
 * a counted call finds the values it was counted with.
 */
import { compareInstants, instantOf, type Microseconds } from '#kernel/microseconds.ts';
import { shorten } from './shorten.ts';

/** Keys by their place; '' where there is none. */
export type OwnNames = readonly string[];

/** What the names are from an instant on (ISO 8601), as `mandanten.eigene_merkmale` has them, the latest last. */
export interface OwnNamesSince {
  ab: string;
  namen: string[];
}

const NONE: OwnNames = [];

/** The names for a call that was received then. */
export function ownNamesAt(since: readonly OwnNamesSince[], received: Microseconds): OwnNames {
  const found = since.findLast(({ ab }) => compareInstants(instantOf(ab), received) <= 0);
  return found ? found.namen : NONE;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return shorten(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The values of a call, by place: texts, numbers and yes or no; anything else is none. */
export const ownValuesOf = (free: Record<string, unknown> | null, names: OwnNames): readonly string[] =>
  names.map((name) => (name !== '' && free && Object.hasOwn(free, name) ? textOf(free[name]) : ''));
