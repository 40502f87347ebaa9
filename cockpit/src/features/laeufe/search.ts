/** What the list of runs keeps in the URL. The first four go to the service, the others work on what came. */
export interface RunsSearch {
  agent_id?: string | undefined;
  status?: string | undefined;
  nur_fehler?: true | undefined;
  limit?: number | undefined;
  q?: string | undefined;
  sort?: string | undefined;
}

/** As many runs as the service puts on a page at most, and unless asked for another number. */
export const maxLimit = 1000;
export const defaultLimit = 50;

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function limitOf(value: unknown): number | undefined {
  const limit = Number(value);
  return Number.isInteger(limit) && limit >= 1 && limit <= maxLimit && limit !== defaultLimit
    ? limit
    : undefined;
}

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export function parseRunsSearch(raw: Record<string, unknown>): RunsSearch {
  return {
    agent_id: textOf(raw.agent_id),
    status: textOf(raw.status),
    nur_fehler: raw.nur_fehler === true || raw.nur_fehler === 'true' ? true : undefined,
    limit: limitOf(raw.limit),
    q: textOf(raw.q),
    sort: textOf(raw.sort),
  };
}
