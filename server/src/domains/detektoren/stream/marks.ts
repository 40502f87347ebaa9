/** The marks of one Mandant, as far as they matter here. */
export interface MarksOfMandant {
  mandant: string;
  zone: string;
  nummern: number[];
  merkmale: number[];
  /** API keys (`schluessel_id`) whose sums changed. */
  schluessel: string[];
  agenten: string[];
  aufrufe_am: string[];
  /** What the calls of each of these agents cost, in millionths of a EUR, rounded up; null where it is not known of all. */
  kosten: number[] | null;
  /** Runs that changed, and those of them that this process has counted. */
  laeufe: string[];
  eigene: ReadonlySet<string>;
}
