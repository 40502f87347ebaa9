/** German, the source of every text: all of it, for types and tests. The cockpit loads it in parts. */
import { first } from './de/first.ts';
import { later } from './de/later.ts';
import { office } from './de/office.ts';

export const de = {
  ...first,
  ...later,
  ...office,
  begriffe: { ...first.begriffe, ...later.begriffe },
} as const;

/** The same keys, any text. */
export type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };

/** What a translation must fill. */
export type Translation = Texts<typeof de>;
