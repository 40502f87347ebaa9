/**
 * Calls that are repeated on purpose (samples, evaluations) say so in their free data: `wiederholung_gewollt`. No rule takes them for
 * repeats of one another: what they have of fingerprints counts as not said.
 */
const KEY = 'wiederholung_gewollt';

export const isDeliberate = (free: Record<string, unknown>): boolean => free[KEY] === true;

/** The same of a row `e` of `ereignisse`, as SQL. */
export const DELIBERATE = `coalesce((e.zusatz->'${KEY}')::text = 'true', false)`;
