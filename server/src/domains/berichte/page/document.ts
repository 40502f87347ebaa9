/** A report as what is read, whether as a page, as text or as a PDF: the same words and figures in each. */
import type { Language } from '#kernel/sentence.ts';

export interface Row {
  name: string;
  /** One line, or two. */
  wert: string;
  hinweis?: string;
  /** Address the name leads to. */
  link?: string;
}

export interface Bar {
  name: string;
  wert: string;
  /** Exact decimal in EUR; null where it is unknown. */
  betrag_eur: string | null;
  /** 0 to 100. */
  laenge: number;
}

export type Block =
  /** The figure that matters most, and what to hold it against. */
  | { art: 'kennzahl'; name: string; wert: string; saetze: string[] }
  /** Names with figures; `titel` says what of. */
  | { art: 'zeilen'; titel: string; zeilen: Row[] }
  | { art: 'balken'; titel: string; zeilen: Bar[] }
  | { art: 'absatz'; text: string };

export interface Section {
  titel: string;
  bloecke: Block[];
  /** Where the cockpit shows more of it. */
  mehr?: { text: string; adresse: string };
}

export interface ReportDocument {
  sprache: Language;
  /** Also the subject of the mail. */
  titel: string;
  untertitel: string;
  /** What to know before reading: figures may still be missing, parts are left out. */
  vermerke: string[];
  abschnitte: Section[];
  /** What the page ends with. */
  fuss: string[];
}
