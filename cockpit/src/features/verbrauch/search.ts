/** What the pages with figures keep in the URL. Defaults are left out, so that a fresh address stays short. */
import { type Measure, parseMeasure } from './measures.ts';
import { parseZeitraum } from './zeitraum.ts';

export { parseZeitraum, shortcutOf, words } from './zeitraum.ts';

export interface FiguresSearch {
  zeitraum?: string | undefined;
  wert?: Measure | undefined;
  ansicht?: 'tabelle' | undefined;
}

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export function parseFiguresSearch(raw: Record<string, unknown>): FiguresSearch {
  const zeitraum = parseZeitraum(raw.zeitraum);
  const wert = parseMeasure(raw.wert);
  return {
    ...(zeitraum === undefined ? {} : { zeitraum }),
    ...(wert === undefined || wert === 'kosten' ? {} : { wert }),
    ...(raw.ansicht === 'tabelle' ? { ansicht: 'tabelle' } : {}),
  };
}
