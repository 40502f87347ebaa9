/** What the pages with figures keep in the URL. Defaults are left out, so that a fresh address stays short. */
import { type Measure, parseMeasure } from './measures.ts';
import { DIMENSION_NAMES, type DimensionName, parseViewSearch, type ViewSearch } from './view.ts';

export {
  askedBy,
  filterSearch,
  keepView,
  parseViewSearch,
  type ViewSearch,
} from './view.ts';
export { addDays, daysOf, parseZeitraum, shortcutOf, words } from './zeitraum.ts';

export interface FiguresSearch extends ViewSearch {
  wert?: Measure | undefined;
  ansicht?: 'tabelle' | undefined;
  /** What the chart is stacked by. */
  stapel?: DimensionName | undefined;
}

const dimensionOf = (value: unknown) => DIMENSION_NAMES.find((name) => name === value);

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export function parseFiguresSearch(raw: Record<string, unknown>): FiguresSearch {
  const wert = parseMeasure(raw.wert);
  return {
    ...parseViewSearch(raw),
    wert: wert === 'kosten' ? undefined : wert,
    ansicht: raw.ansicht === 'tabelle' ? 'tabelle' : undefined,
    stapel: dimensionOf(raw.stapel),
  };
}

export interface BreakdownSearch extends ViewSearch {
  /** Which dimension is broken down. */
  nach?: DimensionName | undefined;
  q?: string | undefined;
  sort?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export const parseBreakdownSearch = (raw: Record<string, unknown>): BreakdownSearch => ({
  ...parseViewSearch(raw),
  nach: dimensionOf(raw.nach),
  q: textOf(raw.q),
  sort: textOf(raw.sort),
});
