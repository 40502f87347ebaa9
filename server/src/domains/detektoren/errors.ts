/** Refusals around looks back. */
import { conflict, InvalidInput, notFound } from '#kernel/errors.ts';
import { MAX_OPEN } from './limits.ts';

export const lookBackMissing = () => notFound({ de: 'Diesen Rückblick', en: 'This backtest' });

export const tooManyLooksBack = () =>
  conflict('zu_viele_rueckblicke', {
    de: `Es laufen schon ${MAX_OPEN} Rückblicke. Warten Sie, bis einer fertig ist, oder brechen Sie einen ab.`,
    en: `${MAX_OPEN} backtests are under way already. Wait until one is done, or end one.`,
  });

/** Budgets are not what they were: what they came to in the past says nothing about a rule of today. */
export const noLookBack = (typ: string) =>
  new InvalidInput({
    path: ['typ'],
    reason: {
      de: 'für Regeln über Budgets gibt es keinen Rückblick: wie hoch ein Budget früher war, ist nicht bekannt',
      en: 'there is no backtest for rules about budgets: how high a budget was in the past is not known',
    },
    input: typ,
  });
