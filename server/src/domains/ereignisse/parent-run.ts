/** Which run a call's run was begun from: `eltern_lauf` in the free data, as the packages send it for a run within a run. */
const KEY = 'eltern_lauf';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The run that is named; null for none. */
export const parentRunIn = (free: Record<string, unknown>): string | null => {
  const parent = free[KEY];
  return typeof parent === 'string' && UUID.test(parent) ? parent : null;
};

/** The run that a row `e` of `ereignisse` names, as SQL; null for none. */
export const PARENT_RUN = `CASE WHEN e.zusatz->>'${KEY}' ~ '${UUID.source}' THEN (e.zusatz->>'${KEY}')::uuid END`;
