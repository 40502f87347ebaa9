/** What a provider's file of usage says of a model beside what was counted. */
import type { AnswerOf } from '../../api/operations.ts';
import { addDecimal } from '../../format/decimal.ts';

export type Vergleich = AnswerOf<'nutzungVergleichen'>;
export type Vergleichszeile = Vergleich['zeilen'][number];

/** What is compared: a file of costs tells amounts, a file of usage the three counts. */
export type Measure = 'kosten' | 'aufrufe' | 'eingabe_token' | 'ausgabe_token';

export const COUNTS = ['aufrufe', 'eingabe_token', 'ausgabe_token'] as const;

interface Figures {
  /** Decimal strings; null for unknown. */
  datei: string | null;
  gezaehlt: string | null;
  /** The file less what was counted. */
  differenz: string | null;
}

const negated = (value: string) => (value.startsWith('-') ? value.slice(1) : `-${value}`);

/** Amounts are in the currency of the file and in USD. A side that does not have the model at all has none of it. */
export function figuresOf(row: Vergleichszeile, measure: Measure): Figures {
  if (measure === 'kosten')
    return {
      datei: row.datei?.betrag ?? null,
      gezaehlt: row.gezaehlt?.kosten_usd ?? null,
      differenz: row.differenz_usd,
    };
  const datei = row.datei ? row.datei[measure] : null;
  const count = row.gezaehlt?.[measure] ?? null;
  const gezaehlt = count === null ? null : String(count);
  const ofFile = row.datei ? datei : '0';
  const isKnown = ofFile !== null;
  return { datei, gezaehlt, differenz: isKnown ? addDecimal(ofFile, negated(gezaehlt ?? '0')) : null };
}

/** What a file of costs charges for the month, all models together; null where it is not one amount in one currency. */
export function chargedBy({ art, zeilen }: Vergleich): { betrag: string; waehrung: 'USD' | 'EUR' } | null {
  const rows = zeilen.flatMap(({ datei }) => (datei ? [datei] : []));
  const [waehrung, ...others] = [...new Set(rows.map((row) => row.waehrung))];
  const amounts = rows.flatMap(({ betrag }) => (betrag === null ? [] : [betrag]));
  if (art !== 'kosten' || !waehrung || others.length > 0 || amounts.length < rows.length) return null;
  return { betrag: amounts.reduce(addDecimal, '0'), waehrung };
}
