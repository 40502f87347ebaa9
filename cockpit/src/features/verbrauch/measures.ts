/** The figures of a set of calls that a page can draw, each with its name, its value and its words. */
import type { VerbrauchZeile } from '../../api/types.ts';
import type { Format } from '../../format/use-format.ts';

export const measures = ['kosten', 'aufrufe', 'token', 'fehler', 'verbrannt'] as const;

export type Measure = (typeof measures)[number];

export const parseMeasure = (text: unknown): Measure | undefined =>
  measures.find((measure) => measure === text);

/** The figures every row and every sum carries. */
export type Figures = Omit<VerbrauchZeile, 'schluessel'>;

/** Tokens in and out, as the providers report them. */
export const tokens = (row: Pick<Figures, 'eingabe_token' | 'ausgabe_token'>) =>
  row.eingabe_token + row.ausgabe_token;

/** Tokens of each kind as a reader sees them, by the names in the texts; – for what is not known. */
export const tokenParts = (
  row: Pick<Figures, 'eingabe_token' | 'ausgabe_token' | 'cache_lese_token'> & {
    cache_schreib_token: number | null;
    denk_token: number | null;
  },
  format: Format,
) => ({
  input: format.count(row.eingabe_token),
  output: format.count(row.ausgabe_token),
  read: format.count(row.cache_lese_token),
  write: row.cache_schreib_token === null ? '–' : format.count(row.cache_schreib_token),
  thought: row.denk_token === null ? '–' : format.count(row.denk_token),
});

/** The exact value: a decimal string for money, null where no price is known. */
export function figureOf(row: Figures, measure: Measure): string | null {
  if (measure === 'kosten') return row.kosten_eur;
  if (measure === 'verbrannt') return row.verbranntes_geld_eur;
  if (measure === 'aufrufe') return String(row.aufrufe);
  return String(measure === 'token' ? tokens(row) : row.fehler);
}

export const isMoney = (measure: Measure) => measure === 'kosten' || measure === 'verbrannt';

/** The value as a reader sees it. */
export function textOf(row: Figures, measure: Measure, format: Format): string {
  const value = figureOf(row, measure);
  return isMoney(measure) ? format.money(value) : format.decimal(value);
}
