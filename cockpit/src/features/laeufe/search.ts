/** What the list of runs keeps in the URL, beside the view; all of it goes to the service. */
import { parseViewSearch, type ViewSearch } from '../verbrauch/search.ts';
import { stepsOf } from './marked.ts';

/** What runs are sorted by, with the column of the table that shows it. */
export const columnOf = {
  ende: 'ende',
  beginn: 'beginn',
  kosten: 'kosten_eur',
  dauer: 'dauer_ms',
  schritte: 'aufrufe',
  fehler: 'fehler',
  verbrannt: 'verbranntes_geld_eur',
} as const;

export type Sortierung = keyof typeof columnOf;

export interface RunsSearch extends ViewSearch {
  sortierung?: Sortierung | undefined;
  richtung?: 'aufsteigend' | undefined;
  status?: string | undefined;
  nur_fehler?: true | undefined;
  nur_unbepreist?: true | undefined;
  /** Beginning of an id, or part of an agent or end customer. */
  suche?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const flagOf = (value: unknown) => (value === true || value === 'true' ? (true as const) : undefined);

export const sortierungOf = (value: unknown) =>
  (Object.keys(columnOf) as Sortierung[]).find((name) => name === value);

export interface RunSearch extends ViewSearch {
  /** Steps to mark: `3-7,12`. */
  schritte?: string | undefined;
}

export const parseRunSearch = (raw: Record<string, unknown>): RunSearch => ({
  ...parseViewSearch(raw),
  schritte: stepsOf(raw.schritte),
});

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export function parseRunsSearch(raw: Record<string, unknown>): RunsSearch {
  return {
    ...parseViewSearch(raw),
    sortierung: sortierungOf(raw.sortierung),
    richtung: raw.richtung === 'aufsteigend' ? 'aufsteigend' : undefined,
    status: textOf(raw.status),
    nur_fehler: flagOf(raw.nur_fehler),
    nur_unbepreist: flagOf(raw.nur_unbepreist),
    suche: textOf(raw.suche),
  };
}
