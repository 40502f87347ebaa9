/** Sums of one minute, hour or day with calls. */
export interface Sums {
  /** When it begins: an instant (ISO); of a day its local date. */
  beginn: string;
  aufrufe: string;
  unbepreist: string;
  geschaetzt: string;
  token: string;
  kosten_eur: string;
  /** Histograms; empty texts where they were not asked for. */
  latenz: string;
  erste_zeichen: string;
}
