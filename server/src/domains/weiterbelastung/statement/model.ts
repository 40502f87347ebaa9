/** What stands on the statement of one end customer for one month, ready to be set. */
import type { Language } from '#kernel/sentence.ts';
import type { Line } from '../line.ts';

/** A row of a table; the amounts of a table's rows and its rest add up to the amount of the line, to the cent. */
export interface StatementRow {
  /** Key of the agent, name of the model; '' for calls without one. */
  schluessel: string;
  /** Name to show. */
  name: string;
  aufrufe: number;
  /** All tokens, alike for every provider; a whole number of any size, null where that is not known of all calls. */
  token: string | null;
  /** Two decimals; null where no call has a known price. */
  betrag_eur: string | null;
}

/** What is in no row of a table, as one. */
export type StatementRest = Pick<StatementRow, 'aufrufe' | 'token' | 'betrag_eur'> & {
  /** How many agents or models that are. */
  gruppen: number;
};

/** Calls came late, or were taken back; prices changed, or became known. */
export type CorrectionReason = 'nachgekommen' | 'zurueckgenommen' | 'neu_bepreist';

/** A line with the number that it has in bookkeeping. */
export type StatementLine = Line & { belegnummer: string };

export type StatementCorrection = StatementLine & {
  gruende: CorrectionReason[];
  /** As of the statement: null where the markup of the month that is corrected was kept from the end customer. */
  aufschlag: Statement['aufschlag'];
};

export interface Statement {
  /** In which the end customer reads it. */
  sprache: Language;
  absender: {
    name: string;
    /** `#rrggbb`. */
    farbe: string | null;
    /** PNG or JPEG as it came from the Mandant's address; null where there is none or it could not be had. */
    logo: Uint8Array | null;
    fusszeile: string | null;
  };
  /** YYYY-MM, in the Mandant's time zone. */
  monat: string;
  /** Local day on which it was closed, else null: figures that may still change. */
  geschlossen_am: string | null;
  /** Local day on which it is made; of a closed month that on which it was closed. */
  erstellt_am: string;
  zeile: StatementLine;
  /**
   * What the statement says of the markup: null where the Mandant keeps it to itself. The amount, two decimals, is what the line
   * is more than the cost; the statement shows the rest of it as the cost.
   */
  aufschlag: { prozent: string; betrag_eur: string } | null;
  /** Burnt money that is not charged, cost in EUR without markup, two decimals; null where burnt money is charged. */
  nicht_berechnet_eur: string | null;
  /** Most expensive first. */
  agenten: StatementRow[];
  agenten_rest: StatementRest | null;
  modelle: StatementRow[];
  modelle_rest: StatementRest | null;
  /** Every local day of the month in order; amounts as in the rows. */
  tage: { tag: string; aufrufe: number; betrag_eur: string | null }[];
  korrekturen: StatementCorrection[];
  /** Net of the line and the corrections together, two decimals. */
  netto_eur: string | null;
  /** Null where no tax is set. What is corrected is taxed as its month was: each rate by itself, the month's own first. */
  umsatzsteuer: {
    prozent: string;
    betrag_eur: string;
    brutto_eur: string;
    saetze: { prozent: string; netto_eur: string; betrag_eur: string }[];
  } | null;
}
