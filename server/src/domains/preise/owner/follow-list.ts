/** The list in force as this process has it in memory: looked at every few seconds, made anew when another one holds. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#platform/log.ts';
import type { Asking } from '../asking.ts';
import { inForceOf } from '../list/in-force.ts';
import { PACKAGED, type PriceData } from '../list/price-data.ts';
import { BadPriceList } from '../list/read-list.ts';
import { createPriceList, type PriceList } from '../price-list.ts';
import { loadEdition, readEditions } from './editions.ts';

export interface LivingPriceList {
  prices: PriceList;
  /** Begins to look; resolves after the first time. Before, prices are those of the package. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How old what is known may be, in milliseconds. */
const REFRESH = 5_000;

/** Prices by the list in force. An edition that this version does not read leaves the one before it, and the log says so. */
export function followPriceList({ db, log }: { db: Asking; log: Log }): LivingPriceList {
  const stopping = new AbortController();
  const { signal } = stopping;
  const asked = Promise.withResolvers<void>();
  let list: PriceData = PACKAGED;
  let nummer: number | null = null;

  const look = async (): Promise<void> => {
    const edition = inForceOf(await readEditions(db));
    // Between an upgrade and the first run of the job the installed list is not among the editions yet.
    const isOlder = edition && !edition.angeheftet && edition.bestaetigt_am < PACKAGED.stand;
    if (!edition || isOlder || edition.nummer === nummer) return;
    try {
      const next = edition.name === PACKAGED.name ? PACKAGED : await loadEdition(db, edition.nummer);
      if (!next) return;
      list = next;
      const { name, stand, herkunft, angeheftet } = edition;
      log.info({ nummer: edition.nummer, name, stand, herkunft, angeheftet }, 'price list in force');
    } catch (error) {
      if (!(error instanceof BadPriceList)) throw error;
      log.error(
        { err: error, nummer: edition.nummer, kept: list.name },
        'the price list in force is not understood',
      );
    }
    nummer = edition.nummer;
  };
  // One after the other: an earlier look must not end after a later one.
  let looking = Promise.resolve();
  const refresh = (): Promise<void> => {
    looking = looking.catch(() => undefined).then(look);
    return looking;
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await refresh();
        asked.resolve();
      } catch (error) {
        log.warn({ err: error }, 'which price list is in force is not known now');
      }
      await delay(REFRESH, undefined, { signal }).catch(() => undefined);
    }
    asked.resolve();
  };
  let running: Promise<void> = Promise.resolve();
  return {
    prices: createPriceList(() => list, refresh),
    start() {
      running = run();
      return asked.promise;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
