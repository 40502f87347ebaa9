/** When runs called last, as SQL. The index has the minute alone: it changes once a minute, the instant with each call. */

/** Where minutes are counted from. */
export const ORIGIN = '2000-01-01T00:00:00Z';

const minuteOf = (instant: string): string => `date_bin('1 minute', ${instant}, '${ORIGIN}')`;

/** Whether runs called last at an instant (SQL of type timestamptz) or after it; `table`: their name with a point, where they need one. */
export const calledSince = (instant: string, table = ''): string =>
  `(${table}ende_minute >= ${minuteOf(instant)} AND ${table}ende >= ${instant})`;

/** Whether they called last before an instant. */
export const calledBefore = (instant: string, table = ''): string =>
  `(${table}ende_minute <= ${minuteOf(instant)} AND ${table}ende < ${instant})`;
