/** The values whose running sums rules read. */
import type { RegelVon } from '#domains/regeln/index.ts';
import type { AskedValue } from '#domains/zaehlung/index.ts';
import { isSumRule } from '../detectors.ts';

/** Those of rules about sums that hold for one value. */
export const askedBy = (rules: readonly RegelVon[]): AskedValue[] =>
  rules.flatMap((rule): AskedValue[] => {
    const { geltungsbereich, bezug } = rule;
    return isSumRule(rule) && geltungsbereich !== 'mandant' && bezug !== null
      ? [{ dimension: geltungsbereich, text: bezug }]
      : [];
  });
