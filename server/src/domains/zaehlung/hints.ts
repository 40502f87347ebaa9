/** What the free data of an event say of how to count it. */
import { isDeliberate, type PackedBatch, parentRunIn } from '#domains/ereignisse/index.ts';
import { type PriceFacts, toPriceFacts, toReportedCost } from '#domains/preise/index.ts';
import {
  type Herkunft,
  herkunftOf,
  isOfSubscription,
  type Library,
  libraryOf,
  NO_LIBRARY,
} from './herkunft.ts';
import { type OwnNames, ownValuesOf } from './own-dimensions.ts';
import { shorten } from './shorten.ts';

/** What of the free data says how to count. */
export interface Hints {
  projekt: string | null;
  gewollt: boolean;
  /** The run that its run was begun from, as the call names it. */
  eltern: string | null;
  eingabeUmfasstCache: boolean | undefined;
  ausgabeUmfasstDenken: boolean | undefined;
  facts: PriceFacts | null;
  /** What the call says that it cost, 10^-24 USD. */
  reported: bigint | null;
  abo: boolean;
  library: Library;
  /** Its values of the Mandant's own dimensions, by their place; '' is none. */
  merkmale: readonly string[];
}

const NO_HINTS: Hints = {
  projekt: null,
  gewollt: false,
  eltern: null,
  eingabeUmfasstCache: undefined,
  ausgabeUmfasstDenken: undefined,
  facts: null,
  reported: null,
  abo: false,
  library: NO_LIBRARY,
  merkmale: [],
};

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function toHints(zusatz: string, names: OwnNames): Hints {
  const free = JSON.parse(zusatz) as Record<string, unknown>;
  return {
    projekt: typeof free.projekt === 'string' && free.projekt !== '' ? shorten(free.projekt) : null,
    gewollt: isDeliberate(free),
    eltern: parentRunIn(free),
    eingabeUmfasstCache: flag(free.eingabe_umfasst_cache),
    ausgabeUmfasstDenken: flag(free.ausgabe_umfasst_denken),
    facts: toPriceFacts(free),
    reported: toReportedCost(free),
    abo: isOfSubscription(free),
    library: libraryOf(free),
    merkmale: ownValuesOf(free, names),
  };
}

/** Reads the hints of an event; a batch has few different free data. */
export function createHints(batch: PackedBatch, names: OwnNames): (index: number) => Hints {
  const known = new Map<number, Hints>([[-1, NO_HINTS]]);
  const numberAt = batch.numbers('zusatz');
  return (index) => {
    const number = numberAt(index);
    const found = known.get(number);
    if (found) return found;
    const hints = toHints(batch.text(number), names);
    known.set(number, hints);
    return hints;
  };
}

/** Finds what told of an event: mostly the same as of the one before. */
export function createHerkunft(batch: PackedBatch): (index: number, hints: Hints) => Herkunft {
  const quelleAt = batch.texts('quelle');
  let of: { quelle: string; library: Library; herkunft: Herkunft } | null = null;
  return (index, { library }) => {
    const quelle = quelleAt(index);
    if (of?.quelle !== quelle || of.library !== library)
      of = { quelle, library, herkunft: herkunftOf(quelle, library) };
    return of.herkunft;
  };
}
