/** PostgreSQL keeps microseconds, the contract of the account pages milliseconds. */
export const toInstant = (text: string): string => new Date(text).toISOString();

export const toInstantOrNull = (text: string | null): string | null =>
  text === null ? null : toInstant(text);
