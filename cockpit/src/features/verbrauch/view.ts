/**
 * What every page with figures looks at: a period, calls with one value of a dimension or all of them, and whether it is compared
 * with the period before. It lives in the URL and stays the same from page to page.
 */
import { DIMENSION_NAMES, type DimensionName } from '#contracts/rollup.ts';
import { parseZeitraum } from './zeitraum.ts';

export { DIMENSION_NAMES, type DimensionName };

/** One value of one dimension; '' for calls without one. */
export interface Filter {
  dimension: DimensionName;
  value: string;
}

export interface ViewSearch extends Partial<Record<DimensionName, string | undefined>> {
  zeitraum?: string | undefined;
  /** Compared unless switched off. */
  vergleich?: 'aus' | undefined;
  /** Names of what the address said that means nothing. */
  unlesbar?: string | undefined;
}

/** The period of a page that names none. */
const defaultZeitraum = '7tage';

const viewKeys = ['zeitraum', 'vergleich', ...DIMENSION_NAMES] as const;

/** The filter of a search: the first of several. */
export function filterOf(search: ViewSearch): Filter | null {
  const dimension = DIMENSION_NAMES.find((name) => search[name] !== undefined);
  return dimension ? { dimension, value: search[dimension] ?? '' } : null;
}

/** What the figures of a search are asked for by. */
export function askedBy(search: ViewSearch): {
  zeitraum: string;
  werte: Partial<Record<DimensionName, string>>;
} {
  const filter = filterOf(search);
  return {
    zeitraum: search.zeitraum ?? defaultZeitraum,
    werte: filter ? { [filter.dimension]: filter.value } : {},
  };
}

/** The part of a search that chooses a filter, in place of any other. */
export const filterSearch = (filter: Filter | null): Partial<Record<DimensionName, string | undefined>> =>
  Object.fromEntries(
    DIMENSION_NAMES.map((name) => [name, filter?.dimension === name ? filter.value : undefined]),
  );

/** The names in an address whose values say nothing. */
export function unreadable(raw: Record<string, unknown>): string[] {
  const named = DIMENSION_NAMES.filter((name) => raw[name] !== undefined);
  return [
    ...(raw.zeitraum !== undefined && parseZeitraum(raw.zeitraum) === undefined ? ['zeitraum'] : []),
    ...named.slice(1),
  ];
}

/**
 * Reads the query of an address; what cannot be understood is as if it were not there, and named in `unlesbar`. Every name is
 * in the result: the router takes a field left out of it as it stands in the address.
 */
export function parseViewSearch(raw: Record<string, unknown>): ViewSearch {
  const dimension = DIMENSION_NAMES.find((name) => typeof raw[name] === 'string');
  const names = unreadable(raw);
  const said = typeof raw.unlesbar === 'string' ? raw.unlesbar : undefined;
  return {
    zeitraum: parseZeitraum(raw.zeitraum),
    vergleich: raw.vergleich === 'aus' ? 'aus' : undefined,
    ...filterSearch(dimension ? { dimension, value: String(raw[dimension]) } : null),
    unlesbar: names.length > 0 ? names.join(', ') : said,
  };
}

const partOf = (search: ViewSearch): ViewSearch =>
  Object.fromEntries(viewKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])));

let remembered: ViewSearch = {};
let shown: string | null = null;

/**
 * Keeps what the page at a path looks at for the next page with figures, also on the way by others. The path is that of the page
 * one sees: the address is ahead of it while a script is on its way. Returns what is to be called when the page is left.
 */
export function rememberView(search: ViewSearch, pathname: string): () => void {
  remembered = partOf(search);
  shown = pathname;
  return () => {
    shown = null;
  };
}

interface Middleware<Search> {
  search: Search;
  next: (search: Search) => Search;
}

/**
 * For the route of a page with figures: a link that says nothing of the view keeps the one there was. Changes
 * within the page say all of it.
 */
export const keepView =
  (isHere: (pathname: string) => boolean) =>
  <Search extends ViewSearch>({ search, next }: Middleware<Search>): Search => {
    const target = next(search);
    if (shown !== null && isHere(shown)) return target;
    const here = partOf(search);
    const kept = Object.keys(here).length > 0 ? here : remembered;
    const filter = filterOf(target) ?? filterOf(kept);
    return {
      ...target,
      zeitraum: target.zeitraum ?? kept.zeitraum,
      vergleich: target.vergleich ?? kept.vergleich,
      ...filterSearch(filter),
    };
  };
