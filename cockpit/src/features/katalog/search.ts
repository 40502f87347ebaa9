/** What the list of agents keeps in the URL. */
import { parseViewSearch, type ViewSearch } from '../verbrauch/search.ts';

export interface AgentsSearch extends ViewSearch {
  /** Part of a name or key. */
  q?: string | undefined;
  /** Column, `-` in front for descending. */
  sort?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export function parseAgentsSearch(raw: Record<string, unknown>): AgentsSearch {
  return {
    ...parseViewSearch(raw),
    q: textOf(raw.q),
    sort: textOf(raw.sort),
  };
}
