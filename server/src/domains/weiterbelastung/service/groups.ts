/** What end customers used by more than one dimension, as it is counted now: so many are asked about at a time. */
import { consumptionByEngine, type EngineQuestion } from '#domains/verbrauch/index.ts';
import { AppError } from '#kernel/errors.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { CountedGroups } from '../store/posten.ts';
import type { Moment } from './moment.ts';

/** What one answer has is in memory at a time: some 60 groups of each by day, provider and model are usual. */
const AT_ONCE = 100;

const isTooMuch = (error: unknown): boolean => error instanceof AppError && error.code === 'abfrage_zu_lang';

/** Asks about some after the others, in their order; about half as many where one answer has no room for them. */
export async function* inPortions<T, A>(
  all: readonly T[],
  ask: (some: readonly T[]) => Promise<A>,
  most = AT_ONCE,
): AsyncGenerator<{ some: readonly T[]; answer: A }, void> {
  for (let at = 0; at < all.length; at += most) {
    const some = all.slice(at, at + most);
    const answer = await ask(some).catch((error: unknown) => {
      if (some.length === 1 || !isTooMuch(error)) throw error;
      return null;
    });
    if (answer === null) yield* inPortions(some, ask, Math.ceil(some.length / 2));
    else yield { some, answer };
  }
}

/** Groups of some references, as calls name them, and by these dimensions. */
export async function groupsOf(
  { tx, engine }: Pick<Moment, 'tx' | 'engine'>,
  window: Window,
  values: readonly string[],
  by: EngineQuestion['by'],
): Promise<CountedGroups> {
  if (values.length === 0) return [];
  const where = [{ dimension: 'endkunde', values }] as const;
  return (await consumptionByEngine(engine, tx, { window, by: ['endkunde', ...by], where })).zeilen;
}
