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

interface Following {
  db: Asking;
  log: Log;
  /** Milliseconds from one look to the next. */
  every?: number;
}

/** Looks time and again which list is in force. An edition that this version does not read leaves the one before it, and the log says so. */
class ListInForce implements LivingPriceList {
  readonly prices: PriceList;
  readonly #db: Asking;
  readonly #log: Log;
  readonly #every: number;
  readonly #stopping = new AbortController();
  readonly #asked = Promise.withResolvers<void>();
  #list: PriceData = PACKAGED;
  #nummer: number | null = null;
  #looking: Promise<void> = Promise.resolve();
  #running: Promise<void> = Promise.resolve();

  constructor({ db, log, every = REFRESH }: Following) {
    this.#db = db;
    this.#log = log;
    this.#every = every;
    this.prices = createPriceList(
      () => this.#list,
      () => this.#refresh(),
    );
  }

  start(): Promise<void> {
    this.#running = this.#run();
    return this.#asked.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#refresh();
        this.#asked.resolve();
      } catch (error) {
        this.#log.warn({ err: error }, 'which price list is in force is not known now');
      }
      await delay(this.#every, undefined, { signal }).catch(() => undefined);
    }
    this.#asked.resolve();
  }

  /** One after the other: an earlier look must not end after a later one. */
  #refresh(): Promise<void> {
    this.#looking = this.#looking.catch(() => undefined).then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    const edition = inForceOf(await readEditions(this.#db));
    // Between an upgrade and the first run of the job the installed list is not among the editions yet.
    const isOlder = edition && !edition.angeheftet && edition.bestaetigt_am < PACKAGED.stand;
    if (!edition || isOlder || edition.nummer === this.#nummer) return;
    const { nummer, name, stand, herkunft, angeheftet } = edition;
    try {
      const next = name === PACKAGED.name ? PACKAGED : await loadEdition(this.#db, nummer);
      if (!next) return;
      this.#list = next;
      this.#log.info({ nummer, name, stand, herkunft, angeheftet }, 'price list in force');
    } catch (error) {
      if (!(error instanceof BadPriceList)) throw error;
      const kept = this.#list.name;
      this.#log.error({ err: error, nummer, kept }, 'the price list in force is not understood');
    }
    this.#nummer = nummer;
  }
}

/** Prices by the list in force. */
export const followPriceList = (following: Following): LivingPriceList => new ListInForce(following);
