/** What the page of a repricing keeps in the URL. */

export interface RepricingSearch {
  /** Column of its lines, `-` in front for descending. */
  sort?: string | undefined;
}

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export const parseRepricingSearch = ({ sort }: Record<string, unknown>): RepricingSearch => ({
  sort: typeof sort === 'string' && sort !== '' ? sort : undefined,
});
