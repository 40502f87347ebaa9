/** A line of a month's bills: what one end customer is charged for the calls of one month. */

/** Amounts in EUR as plain decimals; what is unknown (no call has a known price) is null, never 0. */
export interface Line {
  /** `verbrauch`: calls of the month that is billed; `korrektur`: what changed since in a month that was closed before. */
  art: 'verbrauch' | 'korrektur';
  /** The month the calls are of, YYYY-MM in the Mandant's time zone. */
  monat: string;
  /** Whose calls they are; of a correction one of the references that were charged together. */
  referenz: string;
  /** The reference that is charged: the same, but for corrections of what was merged since. */
  zahler: string;
  /** The reference where there is none. */
  name: string | null;
  kostenstelle: string | null;
  /** The end customer's own account in bookkeeping. */
  debitorenkonto: string | null;
  /** Markup in percent, −100 to 10,000. */
  aufschlag_prozent: string;
  aufrufe: number;
  unbepreist: number;
  teilbepreist: number;
  /** Exact cost of all calls. */
  kosten_eur: string | null;
  /** The part of it that was burnt. */
  verbranntes_geld_eur: string;
  /** What the markup is put on: the cost, without what was burnt where that is kept off the bill. */
  abrechenbar_eur: string | null;
  /** `abrechenbar_eur` with the markup, rounded half-up to the cent: always two decimals. Negative in a correction downward. */
  betrag_eur: string | null;
}
