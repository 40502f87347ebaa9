/** Refusals around rules. */
import { conflict, InvalidInput, notFound } from '#kernel/errors.ts';
import { MAX_RULES } from './limits.ts';

export const ruleMissing = () => notFound({ de: 'Diese Regel', en: 'This rule' });

export const tooManyRules = () =>
  conflict('zu_viele_regeln', {
    de: `Mehr als ${MAX_RULES} Regeln sind nicht möglich. Entfernen Sie zuerst eine andere.`,
    en: `There can be no more than ${MAX_RULES} rules. Remove another one first.`,
  });

/** Nothing of the Mandant has this id, key or reference. */
export const unknownReference = (bezugId: string) =>
  new InvalidInput({
    path: ['bezug_id'],
    reason: {
      de: 'in diesem Geltungsbereich gibt es das nicht',
      en: 'there is no such thing in this scope',
    },
    input: bezugId,
  });
