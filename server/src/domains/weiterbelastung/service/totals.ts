/** What all end customers of a bill come to. */

import { Decimal } from 'decimal.js';
import { aufschlagFrom, eurFrom, markupText } from '#kernel/money.ts';
import type { Line } from '../line.ts';
import { chargeOf } from '../rules.ts';
import type { Bill } from './bill.ts';

/** Amounts have up to 76 decimals; none of them is rounded here. */
const Exact = Decimal.clone({ precision: 200, toExpNeg: -200, toExpPos: 200 });

/** The exact sum of what is known; null where there are amounts and none is known. */
function sumOf(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  if (amounts.length > 0 && known.length === 0) return null;
  return known.reduce((sum, amount) => sum.plus(amount), new Exact(0)).toString();
}

/** The markup of a line, exact; null where its cost is unknown. */
const markupOf = ({ abrechenbar_eur, aufschlag_prozent }: Line): string | null =>
  abrechenbar_eur === null ? null : markupText(eurFrom(abrechenbar_eur), aufschlagFrom(aufschlag_prozent));

const count = (lines: Line[], name: 'aufrufe' | 'unbepreist' | 'teilbepreist') =>
  lines.reduce((sum, line) => sum + line[name], 0);

/** Figures of lines of a month's own calls, and of corrections. */
export const amountsOf = (lines: Line[], corrections: Line[]) => ({
  aufrufe: count(lines, 'aufrufe'),
  unbepreist: count(lines, 'unbepreist'),
  teilbepreist: count(lines, 'teilbepreist'),
  kosten_eur: sumOf(lines.map(({ kosten_eur }) => kosten_eur)),
  verbranntes_geld_eur: sumOf(lines.map(({ verbranntes_geld_eur }) => verbranntes_geld_eur)) ?? '0',
  abrechenbar_eur: sumOf(lines.map(({ abrechenbar_eur }) => abrechenbar_eur)),
  aufschlag_eur: sumOf(lines.map(markupOf)),
  betrag_eur: chargeOf(lines),
  korrekturen_eur: chargeOf(corrections) ?? '0.00',
});

/** Figures of all end customers, and how many have any. */
export const totalsOf = ({ lines, corrections }: Bill) => ({
  endkunden: new Set([...lines, ...corrections].map(({ zahler }) => zahler)).size,
  ...amountsOf(lines, corrections),
});
