/** Why counted and invoiced may differ. Pure and exact; amounts are plain decimals in EUR unless said otherwise. */
import { Decimal } from 'decimal.js';
import type { abgleich, ResponseOf } from '#contracts';

/** Amounts have up to 34 decimals, products of them with a rate more; nothing is rounded. */
export const Exact = Decimal.clone({ precision: 300, toExpNeg: -300, toExpPos: 300 });

type Answer = ResponseOf<typeof abgleich>;
export type Row = Answer['zeilen'][number];
export type Sum = Answer['summen'][number];
type Compared = Pick<
  Sum,
  | 'rechnung_eur'
  | 'verglichen'
  | 'verglichen_eur'
  | 'differenz_eur'
  | 'differenz_prozent'
  | 'ohne_rechnung'
  | 'ohne_rechnung_eur'
>;
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

/** Of those that are known; null where none is. */
function sumOrNull(amounts: (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length > 0 ? sumText(known) : null;
}

const cause = (art: Cause['art'], rest: Partial<Cause> = {}): Cause => ({
  art,
  aufrufe: null,
  betroffen_eur: null,
  betrag_eur: null,
  ...rest,
});

/** What was counted of a month; a provider's is one in UTC. */
export type Costs = Pick<Counted, 'kosten_eur' | 'kosten_usd'>;

/** Cost at a substitute rate, of a local day and a rate; null where it was converted at several. */
export interface AtSubstitute {
  tag: string;
  ersatz_eur: string;
  kurs_usd_eur: string | null;
}

/** Cost at the substitute, by whether the reference rate of its day is known by now. */
export interface Substituted {
  bekannt_eur: string;
  /** What the cost would be at the reference rates less what it is. */
  betrag_eur: string;
  offen_eur: string;
}

/** What calls at the substitute would cost at the reference rates of their days (EUR for one USD; null: not known). */
export function substitutedOf(
  rows: readonly AtSubstitute[],
  rateOf: (tag: string) => string | null,
): Substituted {
  const sums = { bekannt_eur: new Exact(0), betrag_eur: new Exact(0), offen_eur: new Exact(0) };
  for (const { tag, ersatz_eur, kurs_usd_eur } of rows) {
    const rate = rateOf(tag);
    const usd = kurs_usd_eur === null ? null : new Exact(ersatz_eur).div(kurs_usd_eur);
    // A cost that is no multiple of the rate was not converted at it alone.
    if (rate !== null && kurs_usd_eur !== null && usd?.times(kurs_usd_eur).equals(ersatz_eur)) {
      sums.bekannt_eur = sums.bekannt_eur.plus(ersatz_eur);
      sums.betrag_eur = sums.betrag_eur.plus(usd.times(rate)).minus(ersatz_eur);
    } else sums.offen_eur = sums.offen_eur.plus(ersatz_eur);
  }
  return {
    bekannt_eur: sums.bekannt_eur.toString(),
    betrag_eur: sums.betrag_eur.toString(),
    offen_eur: sums.offen_eur.toString(),
  };
}

/** What is known of a provider's month beside what was counted and invoiced. */
export interface Circumstances {
  /** Invoiced less counted; null where one of them is unknown. */
  differenz: string | null;
  /** The cost of the same month in UTC, which is what is invoiced; null where hours do not fit. */
  inUtc: Costs | null;
  /** Calls at the substitute of what is invoiced; null: none. */
  ersatz: Substituted | null;
  /** The price book beside the list; null: no call is known to have a price of it. */
  preisbuch: Row['preisbuch'];
  /** Accepted calls that may be of the month and are not counted yet, or were set aside. */
  wartend: number;
  unzaehlbar: number;
}

/** What the calls at the substitute make; null where nothing. */
function substituteCause(ersatz: Substituted | null): Cause | null {
  if (!ersatz || new Exact(ersatz.betrag_eur).isZero()) return null;
  return cause('ersatzkurs', { betroffen_eur: ersatz.bekannt_eur, betrag_eur: ersatz.betrag_eur });
}

/** The rate at which all invoices were paid; null where they are not all in USD, at one rate. */
function paidRate(invoices: Invoice[]): string | null {
  const [first] = invoices;
  const isOne = invoices.every(({ waehrung, kurs }) => waehrung === 'USD' && kurs === first?.kurs);
  return first && isOne ? first.kurs : null;
}

/**
 * What paying at another rate makes, without what the substitute is known to do; null where they were not paid at one.
 */
function rateCause(
  { kosten_eur, kosten_usd }: Costs,
  invoices: Invoice[],
  ersatz: Substituted | null,
): Cause | null {
  const paid = paidRate(invoices);
  if (paid === null || kosten_eur === null || kosten_usd === null) return null;
  const betrag = new Exact(kosten_usd)
    .times(paid)
    .minus(kosten_eur)
    .minus(ersatz?.betrag_eur ?? 0);
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

const isSome = (amount: string | null | undefined): amount is string =>
  amount != null && !new Exact(amount).isZero();

const uncounted = ({ wartend, unzaehlbar }: Circumstances): Cause[] => [
  ...(wartend > 0 ? [cause('wartend', { aufrufe: wartend })] : []),
  ...(unzaehlbar > 0 ? [cause('unzaehlbar', { aufrufe: unzaehlbar })] : []),
];

/** Whether the price book may have moved the cost: it did, or not all is compared. */
const mayMove = ({ aufrufe, verglichen, differenz_eur, offene_tage }: NonNullable<Row['preisbuch']>) =>
  offene_tage > 0 || verglichen < aufrufe || isSome(differenz_eur);

/** What the own price book is about; whether the provider charged by it nobody can tell. */
const bookCause = ({ preisbuch }: Circumstances): Cause[] =>
  preisbuch && mayMove(preisbuch)
    ? [cause('preisbuch', { aufrufe: preisbuch.aufrufe, betroffen_eur: preisbuch.kosten_eur })]
    : [];

/** Causes of which nobody can tell what they amount to. */
function doubts(
  { unbepreist, teilbepreist, geschaetzt_eur }: Counted,
  invoices: Invoice[],
  around: Circumstances,
): Cause[] {
  // Where the rate that was paid is known, what the conversion makes is known with it.
  const open = paidRate(invoices) === null ? around.ersatz?.offen_eur : null;
  return [
    ...(isSome(open) ? [cause('ersatzkurs_offen', { betroffen_eur: open })] : []),
    ...(unbepreist > 0 ? [cause('unbepreist', { aufrufe: unbepreist })] : []),
    ...(teilbepreist > 0 ? [cause('teilbepreist', { aufrufe: teilbepreist })] : []),
    ...(isSome(geschaetzt_eur) ? [cause('geschaetzt', { betroffen_eur: geschaetzt_eur })] : []),
    ...bookCause(around),
    ...uncounted(around),
  ];
}

const CENT = new Exact('0.01');

/** Below what rounding each invoice to the cent, up or down, may make, in EUR; 0 where one is not to the cent. */
function roundingBound(invoices: Invoice[]): Decimal {
  if (invoices.some(({ betrag }) => new Exact(betrag).decimalPlaces() > 2)) return new Exact(0);
  return invoices.reduce((sum, { kurs }) => sum.plus(CENT.times(kurs)), new Exact(0));
}

function restCause(left: Decimal, invoices: Invoice[]): Cause[] {
  if (left.isZero()) return [];
  const art = left.abs().lessThan(roundingBound(invoices)) ? 'rundung' : 'ungeklaert';
  return [cause(art, { betrag_eur: left.toString() })];
}

/**
 * Likely causes of a difference: those whose amount is known, those whose is not, and the rest; the amounts add up to the
 * difference.
 */
export function causesOf(counted: Counted, invoices: Invoice[], around: Circumstances): Cause[] {
  const { differenz, inUtc, ersatz } = around;
  if (differenz === null) return doubts(counted, invoices, around);
  if (counted.aufrufe === 0)
    return [cause('nicht_gezaehlt', { aufrufe: 0, betrag_eur: differenz }), ...uncounted(around)];
  const known = [
    rateCause(inUtc ?? counted, invoices, ersatz),
    substituteCause(ersatz),
    edgeCause(counted, inUtc),
  ].filter((each) => each !== null);
  const left = new Exact(differenz).minus(sumText(known.map(({ betrag_eur }) => betrag_eur ?? '0')));
  return [...known, ...doubts(counted, invoices, around), ...restCause(left, invoices)];
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

/** The providers of a month together: exact sums of their rows. Differences are about those alone that have one. */
export function sumOf(
  monat: string,
  counted: Omit<Sum, keyof Compared | 'monat'>,
  rows: readonly Row[],
): Sum {
  const own = rows.filter(({ differenz_eur }) => differenz_eur !== null);
  const open = rows.filter(({ aufrufe, rechnung_eur }) => aufrufe > 0 && rechnung_eur === null);
  const verglichen_eur = sumOrNull(own.map(({ kosten_eur }) => kosten_eur));
  const differenz_eur = sumOrNull(own.map((row) => row.differenz_eur));
  return {
    monat,
    ...counted,
    rechnung_eur: sumOrNull(rows.map((row) => row.rechnung_eur)),
    verglichen: own.length,
    verglichen_eur,
    differenz_eur,
    differenz_prozent: percentOf(differenz_eur, verglichen_eur),
    ohne_rechnung: open.length,
    ohne_rechnung_eur: sumOrNull(open.map(({ kosten_eur }) => kosten_eur)),
  };
}
