/** What the events of one Mandant add up to by the API key they came by, the local day and what told of them. */
import { OTHERS, wayIn } from './herkunft.ts';
import { addTotal, type Grouping, KeySums, type KeyTotal } from './key-sums.ts';

const BY_SOURCE: Grouping = {
  holds: ({ tag, herkunft }, event) => herkunft === event.herkunft && tag === event.tag,
  nameOf: ({ tag, herkunft }) => `${tag}${herkunft.name}`,
};

/** Libraries of a Mandant with rows of their own, at most; senders may invent names. */
const MOST_SOURCES = 64;

/**
 * Whether one of these ways may have told of calls of the last weeks, by the sources that have rows of their own. Where some share a row, any
 * may have.
 */
export const mayHaveTold = (known: readonly string[], ways: readonly string[]): boolean =>
  known.length >= MOST_SOURCES || known.some((name) => name === OTHERS.name || ways.includes(wayIn(name)));

/** For how long it is known what told of calls. */
export const SOURCES_KNOWN_DAYS = 40;

/** Totals by local day and source, as they are written. */
export interface SourceTotals {
  totals: KeyTotal[];
  /** The names of all sources that have rows of their own; null where they are those that were known before. */
  names: string[] | null;
}

/** What the events add up to by the local day and by what told of them. */
export class SourceSums extends KeySums {
  constructor() {
    super(BY_SOURCE);
  }

  /** As there is room beside the sources that are known; what is beyond shares a row. Of calls that were counted before none is new. */
  within(known: readonly string[], most = MOST_SOURCES): SourceTotals {
    const names = new Set(known);
    const rows = new Map<string, KeyTotal>();
    for (const total of this.totals()) {
      if (names.size < most) names.add(total.herkunft.name);
      const herkunft = names.has(total.herkunft.name) ? total.herkunft : OTHERS;
      const place = `${total.schluessel}${total.tag}${herkunft.name}`;
      const row = rows.get(place);
      if (row) addTotal(row, total);
      else rows.set(place, { ...total, herkunft });
    }
    return { totals: [...rows.values()], names: names.size > known.length ? [...names] : null };
  }
}
