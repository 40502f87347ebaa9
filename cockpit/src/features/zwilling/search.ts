/** What the page of the twin keeps in the URL. */
import { parseViewSearch, type ViewSearch } from '../verbrauch/search.ts';

export interface TwinSearch extends ViewSearch {
  /** Column of the agents, `-` in front for descending. */
  sort?: string | undefined;
}

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export const parseTwinSearch = (raw: Record<string, unknown>): TwinSearch => ({
  ...parseViewSearch(raw),
  sort: typeof raw.sort === 'string' && raw.sort !== '' ? raw.sort : undefined,
});
