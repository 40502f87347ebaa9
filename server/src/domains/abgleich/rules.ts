/** Why counted and invoiced may differ. Pure and exact; amounts are plain decimals in EUR unless said otherwise. */
import { Decimal } from 'decimal.js';
import type { abgleich, ResponseOf } from '#contracts';

/** Amounts have up to 34 decimals, products of them with a rate more; nothing is rounded. */
export const Exact = Decimal.clone({ precision: 300, toExpNeg: -300, toExpPos: 300 });

type Row = ResponseOf<typeof abgleich>['zeilen'][number];
export type Cause = Row['ursachen'][number];
export type Invoice = Row['rechnungen'][number];

export interface Counted {
  aufrufe: number;
  unbepreist: number;
  teilbepreist: number;
  kosten_eur: string | null;
  kosten_usd: string | null;
  geschaetzt_eur: string | null;
}

export const sumText = (amounts: string[]): string =>
  amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0)).toString();

const cause = (art: Cause['art'], rest: Partial<Cause> = {}): Cause => ({
  art,
  aufrufe: null,
  betroffen_eur: null,
  betrag_eur: null,
  ...rest,
});

/** What was counted of a month; a provider's is one in UTC. */
export type Costs = Pick<Counted, 'kosten_eur' | 'kosten_usd'>;

/** What paying at another rate makes; null where the invoices are not all in USD, at one rate. */
function rateCause({ kosten_eur, kosten_usd }: Costs, invoices: Invoice[]): Cause | null {
  const [first] = invoices;
  const isOne = invoices.every(({ waehrung, kurs }) => waehrung === 'USD' && kurs === first?.kurs);
  if (!first || !isOne || kosten_eur === null || kosten_usd === null) return null;
  const betrag = new Exact(kosten_usd).times(first.kurs).minus(kosten_eur);
  return betrag.isZero()
    ? null
    : cause('wechselkurs', { betroffen_eur: kosten_eur, betrag_eur: betrag.toString() });
}

/** What lies in another month in UTC; null where nothing does, or where it cannot be told. */
function edgeCause({ kosten_eur }: Counted, inUtc: Costs | null): Cause | null {
  if (kosten_eur === null || !inUtc || inUtc.kosten_eur === null) return null;
  const betrag = new Exact(inUtc.kosten_eur).minus(kosten_eur);
  return betrag.isZero() ? null : cause('monatsgrenze', { betrag_eur: betrag.toString() });
}

function doubts({ unbepreist, teilbepreist, geschaetzt_eur }: Counted): Cause[] {
  const estimated = geschaetzt_eur !== null && !new Exact(geschaetzt_eur).isZero();
  return [
    ...(unbepreist > 0 ? [cause('unbepreist', { aufrufe: unbepreist })] : []),
    ...(teilbepreist > 0 ? [cause('teilbepreist', { aufrufe: teilbepreist })] : []),
    ...(estimated ? [cause('geschaetzt', { betroffen_eur: geschaetzt_eur })] : []),
  ];
}

/**
 * Likely causes of a difference: those whose amount is known, those whose is not, and what is left; the amounts add up to the
 * difference. `inUtc`: the cost of the same month in UTC, which is what is invoiced; null where hours do not fit.
 */
export function causesOf(
  counted: Counted,
  invoices: Invoice[],
  { differenz, inUtc }: { differenz: string | null; inUtc: Costs | null },
): Cause[] {
  if (differenz === null) return doubts(counted);
  if (counted.aufrufe === 0) return [cause('nicht_gezaehlt', { aufrufe: 0, betrag_eur: differenz })];
  const known = [rateCause(inUtc ?? counted, invoices), edgeCause(counted, inUtc)].filter(
    (each) => each !== null,
  );
  const left = new Exact(differenz).minus(sumText(known.map(({ betrag_eur }) => betrag_eur ?? '0')));
  return [
    ...known,
    ...doubts(counted),
    ...(left.isZero() ? [] : [cause('ungeklaert', { betrag_eur: left.toString() })]),
  ];
}

/** Invoiced less counted; null where one of them is unknown. Where nothing was called, nothing was spent. */
export function differenceOf({ kosten_eur, aufrufe }: Counted, invoiced: string | null): string | null {
  const counted = aufrufe === 0 ? '0' : kosten_eur;
  return counted === null || invoiced === null ? null : new Exact(invoiced).minus(counted).toString();
}

/** In percent of what was counted, half-up to two places; null of nothing. */
export function percentOf(differenz: string | null, kosten_eur: string | null): string | null {
  if (differenz === null || kosten_eur === null || new Exact(kosten_eur).isZero()) return null;
  return new Exact(differenz).times(100).div(kosten_eur).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toString();
}
