/** What the pages of prices keep in the URL. */
import { parseZeitraum } from '../verbrauch/search.ts';

const SECTIONS = ['modelle', 'preise', 'rabatte', 'freigaben', 'fassungen'] as const;
export type Section = (typeof SECTIONS)[number];

export interface PricesSearch {
  /** The models when left out. */
  bereich?: Section | undefined;
  /** The period whose models are listed; the last 30 days when left out. */
  zeitraum?: string | undefined;
  /** The model that a price is to be set for, and its provider: the form is open, filled with them. */
  modell?: string | undefined;
  anbieter?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export function parsePricesSearch(raw: Record<string, unknown>): PricesSearch {
  const bereich = SECTIONS.find((section) => section === raw.bereich);
  return {
    bereich: bereich === 'modelle' ? undefined : bereich,
    zeitraum: parseZeitraum(raw.zeitraum),
    modell: textOf(raw.modell),
    anbieter: textOf(raw.anbieter),
  };
}
