/** How much is too much. */
import { conflict } from '#kernel/errors.ts';
import type { SubjectLimits } from '#platform/throttle.ts';

/** Checks that a Mandant may ask for: each is of the whole installation. */
export const CHECKS: SubjectLimits = { kind: 'budgets.pruefen', perHour: 240 };

/** Budgets of a Mandant but for those of agents: with its rules they name no more values than have running sums. */
export const MOST_BUDGETS = 4_000;

export const tooManyBudgets = () =>
  conflict('hoechstzahl_erreicht', {
    de: `Mehr als ${MOST_BUDGETS} Budgets neben denen von Agenten sind nicht möglich. Entfernen Sie zuerst ein anderes.`,
    en: `There can be no more than ${MOST_BUDGETS} budgets besides those of agents. Remove another one first.`,
  });
