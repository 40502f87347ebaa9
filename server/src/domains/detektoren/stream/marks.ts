/** The marks of one Mandant, as far as they matter here. */
export interface MarksOfMandant {
  mandant: string;
  zone: string;
  nummern: number[];
  merkmale: number[];
  agenten: string[];
  aufrufe_am: string[];
}
