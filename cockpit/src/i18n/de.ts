/** German, the source of every text: all of it, for types and tests. The cockpit loads it in two parts. */
import { first } from './de/first.ts';
import { later } from './de/later.ts';

export const de = { ...first, ...later, begriffe: { ...first.begriffe, ...later.begriffe } } as const;

type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };

/** What a translation must fill: the same keys, any text. */
export type Translation = Texts<typeof de>;
