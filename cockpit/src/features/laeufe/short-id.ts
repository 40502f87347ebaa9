/** What of the id of a run people tell runs apart by. */
export const shortId = (id: string): string => id.slice(0, 8);
