/** What tax makes of a line: the same in the statement's table, the bookkeepers' CSV and the booking batch. */
import { aufschlagFrom, type Cents, centsFrom, centsText, eurFrom, priceOf } from '#kernel/money.ts';

/** The amount with the tax, half a cent away from zero, once; the amount itself where no rate is set. Percent as a plain decimal. */
export const grossOf = (net: string, percent: string | null): Cents =>
  percent === null ? centsFrom(net) : priceOf(eurFrom(net), aufschlagFrom(percent));

/** With both decimals, also where they are zeros: `142.80`. */
export function twoDecimals(cents: Cents): string {
  const [whole, fraction = ''] = centsText(cents).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
