/** From what end customers used to what they are charged. Pure; amounts in EUR. */
import {
  apportion,
  aufschlagFrom,
  type Cents,
  type Eur,
  eurFrom,
  eurText,
  minus,
  plus,
  priceOf,
} from '#kernel/money.ts';
import { twoDecimals } from './gross.ts';
import type { Line } from './line.ts';

/** What calls add up to. */
export interface Usage {
  aufrufe: number;
  unbepreist: number;
  teilbepreist: number;
  /** Null where no call has a known price. */
  kosten: Eur | null;
  verbrannt: Eur;
}

/** By which rules a month is charged. */
export interface Terms {
  verbranntes_berechnen: boolean;
  aufschlag_ausweisen: boolean;
  /** Value added tax in percent; null: none is added. */
  steuersatz_prozent: string | null;
}

/** Who is charged, and how. */
export type Customer = Pick<
  Line,
  'referenz' | 'name' | 'kostenstelle' | 'debitorenkonto' | 'aufschlag_prozent'
>;

/** How the end customer of a line is charged, and known. */
export const asCharged = ({
  name,
  kostenstelle,
  debitorenkonto,
  aufschlag_prozent,
}: Line): Omit<Customer, 'referenz'> => ({ name, kostenstelle, debitorenkonto, aufschlag_prozent });

/** What has been billed of a month to an end customer so far: its own line and all corrections together. */
export type Billed = Usage & { betrag: Cents | null; aufschlag_prozent: string };

export const NOTHING: Usage = {
  aufrufe: 0,
  unbepreist: 0,
  teilbepreist: 0,
  kosten: eurFrom('0'),
  verbrannt: eurFrom('0'),
};

const added = <A extends Eur | Cents>(a: A | null, b: A | null): A | null => {
  if (a === null || b === null) return a ?? b;
  return (a + b) as A;
};

/** Two usages as one; what is unknown in one is not in the cost of both. */
export const together = (a: Usage, b: Usage): Usage => {
  const aufrufe = a.aufrufe + b.aufrufe;
  const unbepreist = a.unbepreist + b.unbepreist;
  return {
    aufrufe,
    unbepreist,
    teilbepreist: a.teilbepreist + b.teilbepreist,
    // Nothing at all costs 0; only what was called and has no price is unknown.
    kosten: aufrufe > 0 && aufrufe === unbepreist ? null : added(a.kosten, b.kosten),
    verbrannt: plus(a.verbrannt, b.verbrannt),
  };
};

/** What the markup is put on; null where no call has a known price. */
const chargeable = (
  { kosten, verbrannt }: Pick<Usage, 'kosten' | 'verbrannt'>,
  { verbranntes_berechnen }: Pick<Terms, 'verbranntes_berechnen'>,
): Eur | null => {
  if (kosten === null) return null;
  return verbranntes_berechnen ? kosten : minus(kosten, verbrannt);
};

const text = (amount: Eur | null) => (amount === null ? null : eurText(amount));
function lineOf(
  art: Line['art'],
  monat: string,
  customer: Customer,
  usage: Usage,
  abrechenbar: Eur | null,
  betrag: Cents | null,
): Line {
  return {
    art,
    monat,
    referenz: customer.referenz,
    zahler: customer.referenz,
    name: customer.name,
    kostenstelle: customer.kostenstelle,
    debitorenkonto: customer.debitorenkonto,
    aufschlag_prozent: customer.aufschlag_prozent,
    aufrufe: usage.aufrufe,
    unbepreist: usage.unbepreist,
    teilbepreist: usage.teilbepreist,
    kosten_eur: text(usage.kosten),
    verbranntes_geld_eur: eurText(usage.verbrannt),
    abrechenbar_eur: text(abrechenbar),
    betrag_eur: betrag === null ? null : twoDecimals(betrag),
  };
}

const charge = (abrechenbar: Eur | null, aufschlag: string): Cents | null =>
  abrechenbar === null ? null : priceOf(abrechenbar, aufschlagFrom(aufschlag));

/** The line of an end customer for the calls of a month: rounded half-up to the cent, once. */
export function usageLine(monat: string, customer: Customer, usage: Usage, terms: Terms): Line {
  const abrechenbar = chargeable(usage, terms);
  return lineOf(
    'verbrauch',
    monat,
    customer,
    usage,
    abrechenbar,
    charge(abrechenbar, customer.aufschlag_prozent),
  );
}

/** What a reference used by now of a month that was closed, and what was billed of it. */
export interface UsageChange {
  referenz: string;
  /** Who is charged for what changed. */
  zahler: Customer;
  now: Usage;
  before: Usage;
}

/**
 * What is to be charged besides for references that were charged as one in a month that was closed, by the markup and rules it was closed
 * with. What all lines charge together is their exact cost with the markup, rounded once, however often it changes. Nothing for references
 * whose cost is as it was billed.
 */
export function correctionLines(
  monat: string,
  billed: Billed,
  changes: readonly UsageChange[],
  terms: Pick<Terms, 'verbranntes_berechnen'>,
): Line[] {
  const of = (usage: Usage) => chargeable(usage, terms) ?? (0n as Eur);
  const { aufschlag_prozent } = billed;
  let exact = of(billed);
  let charged = billed.betrag ?? (0n as Cents);
  return changes.flatMap(({ referenz, zahler, now, before }) => {
    const change = minus(of(now), of(before));
    if (change === 0n) return [];
    exact = plus(exact, change);
    const due = priceOf(exact, aufschlagFrom(aufschlag_prozent));
    const betrag = minus(due, charged);
    charged = due;
    const line = lineOf(
      'korrektur',
      monat,
      { ...zahler, aufschlag_prozent },
      differenceOf(now, before),
      change,
      betrag,
    );
    return { ...line, referenz };
  });
}

const differenceOf = (now: Usage, before: Usage): Usage => ({
  aufrufe: now.aufrufe - before.aufrufe,
  unbepreist: now.unbepreist - before.unbepreist,
  teilbepreist: now.teilbepreist - before.teilbepreist,
  kosten: minus(now.kosten ?? (0n as Eur), before.kosten ?? (0n as Eur)),
  verbrannt: minus(now.verbrannt, before.verbrannt),
});

/** What is charged for all of these; null where every one of them is unknown, 0.00 where there is none. */
export function chargeOf(lines: readonly Pick<Line, 'betrag_eur'>[]): string | null {
  if (lines.length > 0 && lines.every(({ betrag_eur }) => betrag_eur === null)) return null;
  const cents = lines.reduce((sum, { betrag_eur }) => sum + centsOf(betrag_eur ?? '0.00'), 0n);
  return twoDecimals(cents as Cents);
}

export const centsOf = (betrag: string): bigint => BigInt(betrag.replace('.', ''));

/**
 * The parts of a line's charge: each to the cent, so that they add up to it. Null for parts without a known price. The cents that
 * rounding down leaves go to those parts that lost most by it.
 */
export function partsOf(
  parts: readonly Pick<Usage, 'kosten' | 'verbrannt'>[],
  { betrag_eur, aufschlag_prozent }: Pick<Line, 'betrag_eur' | 'aufschlag_prozent'>,
  terms: Terms,
): (string | null)[] {
  if (betrag_eur === null) return parts.map(() => null);
  const amounts = parts.map((part) => chargeable(part, terms));
  const known = amounts.filter((amount) => amount !== null);
  const cents = apportion(known, aufschlagFrom(aufschlag_prozent), centsOf(betrag_eur) as Cents).values();
  return amounts.map((amount) => (amount === null ? null : twoDecimals(cents.next().value as Cents)));
}
