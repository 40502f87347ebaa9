/** Bounds of passing on. */
import type { MandantId } from '#kernel/mandant-id.ts';
import { createPlaces, type Shared } from '#platform/archive-room.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Most } from '#platform/database/index.ts';

/** Those that calls name come by themselves; merged and deleted ones are kept. */
export const CUSTOMERS: Most = {
  table: 'endkunden',
  most: 100_000,
  what: { de: 'Endkunden', en: 'end customers' },
};

/** Milliseconds that making a file of a month may take: enough for tens of thousands of statements. */
const LONGEST = 3_600_000;
const READ_AT_ONCE = 64;

/** What files of a kind share that are read while they are made: each Mandant reads one of a kind at a time. */
export const filesOfAKind = ({ spools }: Pick<ServiceContext, 'spools'>): Shared => ({
  takePlace: createPlaces<MandantId>(READ_AT_ONCE),
  spools,
  longest: LONGEST,
});
