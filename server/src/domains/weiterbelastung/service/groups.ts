/** What end customers used by more than one dimension, as it is counted now, asked about in groups of a bounded size. */
import {
  type EngineQuestion,
  type ExactGroup,
  type ExactGroups,
  exactGroups,
} from '#domains/verbrauch/index.ts';
import { AppError } from '#kernel/errors.ts';
import type { Window } from '#kernel/zeitraum.ts';
import { FIGURES_BEHIND } from '../parts.ts';
import type { Moment } from './moment.ts';

/** How many are asked about first. */
const AT_ONCE = 100;
/** Where little is known of each: one question costs as much as another. */
const MOST_AT_ONCE = 5_000;
/** What one answer has is in memory at a time: some 60 groups of each by day, provider and model are usual. */
const GROUPS_AT_ONCE = 10_000;

const isTooMuch = (error: unknown): boolean => error instanceof AppError && error.code === 'abfrage_zu_lang';

interface Questions<T, A> {
  ask(some: readonly T[]): Promise<A>;
  /** Of one whose answer has no room: what of it can be answered. It is refused unless given. */
  askAlone?(one: T): Promise<A>;
  /** How many groups an answer has; unless given, never more are asked about than at first. */
  sizeOf?(answer: A): number;
}

async function answerOf<T, A>({ ask, askAlone }: Questions<T, A>, some: readonly T[]): Promise<A | null> {
  try {
    return await ask(some);
  } catch (error) {
    const [one] = some;
    if (!isTooMuch(error) || one === undefined) throw error;
    if (some.length > 1) return null;
    if (!askAlone) throw error;
    return askAlone(one);
  }
}

/** How many are asked about next, after `asked` of them had `groups`: twice as many at most. */
function nextOf(asked: number, groups: number | undefined): number {
  if (groups === undefined) return Math.min(2 * asked, AT_ONCE);
  const fitting = Math.floor((asked * GROUPS_AT_ONCE) / Math.max(1, groups));
  return Math.max(1, Math.min(fitting, 2 * asked, MOST_AT_ONCE));
}

/** Asks about some after the others, in their order; about half as many where one answer has no room for them. */
export async function* inPortions<T, A>(
  all: readonly T[],
  questions: Questions<T, A>,
): AsyncGenerator<{ some: readonly T[]; answer: A }, void> {
  let most = AT_ONCE;
  for (let at = 0; at < all.length; ) {
    const some = all.slice(at, at + most);
    const answer = await answerOf(questions, some);
    if (answer === null) most = Math.ceil(some.length / 2);
    else {
      yield { some, answer };
      at += some.length;
      most = nextOf(some.length, questions.sizeOf?.(answer));
    }
  }
}

/** Groups of some references, as calls name them, and by these dimensions. */
export async function groupsOf(
  { tx, engine }: Pick<Moment, 'tx' | 'engine'>,
  window: Window,
  values: readonly string[],
  by: EngineQuestion['by'],
): Promise<ExactGroup[]> {
  if (values.length === 0) return [];
  const where = [{ dimension: 'endkunde', values }] as const;
  const question = { window, by: ['endkunde', ...by], where, figures: FIGURES_BEHIND } as const;
  return (await exactGroups(engine, tx, question)).gruppen;
}

/** Groups of these references together, by these dimensions alone: the dearest, and the others as one. */
export const dearestOf = (
  { tx, engine }: Pick<Moment, 'tx' | 'engine'>,
  window: Window,
  values: readonly string[],
  { by, limit }: { by: EngineQuestion['by']; limit: number | null },
): Promise<ExactGroups> =>
  exactGroups(engine, tx, {
    window,
    by,
    where: [{ dimension: 'endkunde', values }],
    figures: FIGURES_BEHIND,
    limit,
  });
