/** How the charge of a line is made up, in cents that add up to it. */
import { addDecimal, compareDecimal, roundDecimal } from '../../format/decimal.ts';

const negated = (value: string) => (value.startsWith('-') ? value.slice(1) : `-${value}`);

interface Charge {
  abrechenbar_eur: string | null;
  betrag_eur: string | null;
  aufschlag_prozent: string;
}

/**
 * The cost to the cent and the markup that is left of the charge without it (EUR); the markup is null where the line has none.
 * Null where the charge is unknown.
 */
export function madeUpOf({
  abrechenbar_eur,
  betrag_eur,
  aufschlag_prozent,
}: Charge): { cost: string; markup: string | null } | null {
  if (abrechenbar_eur === null || betrag_eur === null) return null;
  const cost = roundDecimal(abrechenbar_eur, 2);
  const hasMarkup = compareDecimal(aufschlag_prozent, '0') !== 0;
  return { cost, markup: hasMarkup ? addDecimal(betrag_eur, negated(cost)) : null };
}
