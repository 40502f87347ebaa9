/** What the list of interventions keeps in the URL. */
export interface InterventionsSearch {
  /** How many days back; 7 when left out. */
  tage?: 30 | undefined;
}

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export const parseInterventionsSearch = (raw: Record<string, unknown>): InterventionsSearch => ({
  tage: raw.tage === '30' || raw.tage === 30 ? 30 : undefined,
});
