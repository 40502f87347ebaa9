/** Months that are closed, as stretches of time. */
import { windowOf } from '#domains/weiterbelastung/index.ts';
import type { Span } from './store.ts';

/** From when to when each of them goes, in the zone it was closed by. */
export const closedSpans = (months: readonly { monat: string; zeitzone: string }[]): Span[] =>
  months.map(({ monat, zeitzone }) => {
    const { von, bis } = windowOf(monat, zeitzone);
    return { von: von.toInstant().toString(), bis: bis.toInstant().toString() };
  });
