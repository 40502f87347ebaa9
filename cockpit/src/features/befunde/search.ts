/** What the lists of findings and incidents keep in the URL. */
import type { BefundeFilter } from '../../api/queries.ts';

const statuses = ['offen', 'erledigt', 'ignoriert', 'hinfaellig', 'alle'] as const;
export type StatusChoice = (typeof statuses)[number];

export interface FindingsSearch {
  /** Open ones when left out. */
  status?: StatusChoice | undefined;
  typ?: string | undefined;
  agent_id?: string | undefined;
  vorfall_id?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const idOf = (value: unknown) => (typeof value === 'string' && uuid.test(value) ? value : undefined);

export const statusOf = (value: unknown) => statuses.find((status) => status === value);

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export const parseFindingsSearch = (raw: Record<string, unknown>): FindingsSearch => ({
  status: statusOf(raw.status),
  typ: textOf(raw.typ),
  agent_id: idOf(raw.agent_id),
  vorfall_id: idOf(raw.vorfall_id),
});

/** What the service is asked for. Of an incident all findings, whatever became of them. */
export function filterOf(search: FindingsSearch, types: readonly string[]): BefundeFilter {
  const { status = search.vorfall_id ? 'alle' : 'offen', typ, agent_id, vorfall_id } = search;
  return {
    ...(status === 'alle' ? {} : { status }),
    ...(typ !== undefined && types.includes(typ) ? { typ: typ as NonNullable<BefundeFilter['typ']> } : {}),
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(vorfall_id === undefined ? {} : { vorfall_id }),
  };
}

export interface IncidentsSearch {
  /** Open ones when left out. */
  status?: 'geschlossen' | undefined;
}

export const parseIncidentsSearch = (raw: Record<string, unknown>): IncidentsSearch => ({
  status: raw.status === 'geschlossen' ? 'geschlossen' : undefined,
});
