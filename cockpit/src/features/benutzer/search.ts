/** What the list of users keeps in the URL. */
export interface UsersSearch {
  /** Part of a name or an address. */
  q?: string | undefined;
  /** Column, `-` in front for descending. */
  sort?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export const parseUsersSearch = (raw: Record<string, unknown>): UsersSearch => ({
  q: textOf(raw.q),
  sort: textOf(raw.sort),
});
