/** What may be kept of an end customer: the same by whatever way it comes in. */
import { aufschlagFrom } from '#kernel/money.ts';
import { nameProblem, textProblem } from '#kernel/name.ts';
import type { Sentence } from '#kernel/sentence.ts';

/** The longest texts. */
const MOST = { referenz: 120, name: 120, kostenstelle: 36 } as const;

const ACCOUNT = /^(?!0+$)\d{1,9}$/;

const fits = (most: number, problem: (text: string) => Sentence | null) => (text: string) => {
  if ([...text].length > most)
    return { de: `darf höchstens ${most} Zeichen haben`, en: `must have at most ${most} characters` };
  return problem(text);
};

/** Calls name references; one that they may name may be put in, too. */
export const referenceProblem = fits(MOST.referenz, textProblem);
export const customerNameProblem = fits(MOST.name, nameProblem);
/** Which characters bookkeeping takes is for who closes a month: not everybody books. */
export const costCentreProblem = fits(MOST.kostenstelle, nameProblem);

export const accountProblem = (konto: string): Sentence | null =>
  ACCOUNT.test(konto)
    ? null
    : {
        de: 'muss aus 1 bis 9 Ziffern bestehen, nicht nur Nullen',
        en: 'must be 1 to 9 digits, not only zeros',
      };

/** Of a plain decimal. */
export function markupProblem(percent: string): Sentence | null {
  if ((percent.split('.')[1]?.length ?? 0) > 10)
    return { de: 'darf höchstens 10 Nachkommastellen haben', en: 'may have 10 decimals at most' };
  try {
    aufschlagFrom(percent);
    return null;
  } catch {
    return { de: 'muss zwischen -100 und 10000 liegen', en: 'must be between -100 and 10000' };
  }
}
