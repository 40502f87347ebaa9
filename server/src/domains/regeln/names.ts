/** What rules are called that nobody has given a name. */
import { REGELTYP_TEXTE, type Regeltyp } from '#contracts';

const LONGEST = 120;

/** The name of a rule that was given none; `bezug`: the one thing it holds for, null for everything. */
export const defaultName = (typ: Regeltyp, bezug: string | null): string =>
  `${REGELTYP_TEXTE[typ].de}${bezug === null ? '' : ` (${bezug})`}`.slice(0, LONGEST).toWellFormed();
