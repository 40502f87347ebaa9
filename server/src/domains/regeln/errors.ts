/** Refusals around rules. */
import { AppError, conflict, InvalidInput, notFound } from '#kernel/errors.ts';
import { MAX_RULES, MAX_WAITING } from './limits.ts';

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

/** 429: so much waits to be counted that a rule which acts could not act in time. */
export const tooMuchWaits = () =>
  new AppError(
    'too-many',
    'zaehlung_wartet',
    {
      de: `${MAX_WAITING} Ereignisse warten schon auf die Zählung. Damit scharfe Regeln rechtzeitig eingreifen, werden weitere erst danach angenommen.`,
      en: `${MAX_WAITING} events are waiting to be counted already. So that armed rules act in time, more are taken after these.`,
    },
    1,
  );
