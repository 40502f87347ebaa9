/** What the list of agents keeps in the URL. */
import { parseZeitraum } from '../verbrauch/search.ts';

export interface AgentsSearch {
  zeitraum?: string | undefined;
  /** Part of a name or key. */
  q?: string | undefined;
  projekt?: string | undefined;
  /** Column, `-` in front for descending. */
  sort?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export function parseAgentsSearch(raw: Record<string, unknown>): AgentsSearch {
  return {
    zeitraum: parseZeitraum(raw.zeitraum),
    q: textOf(raw.q),
    projekt: textOf(raw.projekt),
    sort: textOf(raw.sort),
  };
}
