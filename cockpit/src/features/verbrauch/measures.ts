/** The figures of a set of calls that a page can draw, each with its name, its value and its words. */
import type { VerbrauchZeile } from '../../api/types.ts';
import type { Format } from '../../format/use-format.ts';

export const measures = ['kosten', 'aufrufe', 'token', 'fehler', 'verbrannt'] as const;

export type Measure = (typeof measures)[number];

export const parseMeasure = (text: unknown): Measure | undefined =>
  measures.find((measure) => measure === text);

/** The figures every row and every sum carries. */
export type Figures = Omit<VerbrauchZeile, 'schluessel'>;

/** The exact value: a decimal string for money, null where no price is known, or not of all calls what their tokens were. */
export function figureOf(row: Figures, measure: Measure): string | null {
  if (measure === 'kosten') return row.kosten_eur;
  if (measure === 'verbrannt') return row.verbranntes_geld_eur;
  if (measure === 'aufrufe') return String(row.aufrufe);
  if (measure === 'token') return row.token === null ? null : String(row.token);
  return String(row.fehler);
}

export const isMoney = (measure: Measure) => measure === 'kosten' || measure === 'verbrannt';

/** The value as a reader sees it. */
export function textOf(row: Figures, measure: Measure, format: Format): string {
  const value = figureOf(row, measure);
  return isMoney(measure) ? format.money(value) : format.decimal(value);
}
