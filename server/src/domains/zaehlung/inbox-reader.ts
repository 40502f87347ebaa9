/** Reads accepted batches in order and turns them into counted events. Nothing is written here. */
import {
  createMandantPrices,
  type ExchangeRates,
  loadExchangeRates,
  type PriceList,
  type PricesOfMandant,
  type Substitute,
} from '#domains/preise/index.ts';
import { createLocalHours, type LocalHour } from '#kernel/local-hours.ts';
import { instantOf } from '#kernel/microseconds.ts';
import { CopyBuffer } from '#platform/database/copy/copy-buffer.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { MEMORY } from '#platform/memory.ts';
import { callKey } from './call-key.ts';
import type { KeptChoice, RememberedChoices } from './kept-values.ts';
import type { Surroundings } from './normalise.ts';
import { type OwnNamesSince, ownNamesAt } from './own-dimensions.ts';
import {
  type Batch,
  type InboxRow,
  MAX_BYTES,
  type OpenBatch,
  openBatch,
  type Stretch,
  toStretch,
  USUAL_BYTES,
} from './stretch.ts';

/** How long a stretch becomes: it ends with the batch that reaches one of these. */
export interface Share {
  events: number;
  /** Events, running sums that change with them, and values: an event with values of its own has seven more, and a running sum. */
  work: number;
}

/** What a Mandant has at once while nobody else waits: what many events share is written once. */
export const WHOLE: Share = { events: MEMORY.stretchEvents, work: 200_000 };
/** … and while others wait for their turn; what many with little have together. */
export const SHARED: Share = { events: 5_000, work: 10_000 };

const MAX_BATCHES = 400;
/** Batches that hold little. */
const MAX_SMALL_BATCHES = 4_000;
const MAX_SPARE = 4;
const MAX_SPARE_BYTES = 14 * 1024 * 1024;
const RATES_KEPT = 60_000;
const MAX_ZONES = 200;

const COLUMNS =
  'mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, umfang, daten, aendert, import_id';
// The running sum is taken before the data are fetched, so that no more is read than is counted.
const upToAStretch = (waiting: string, events: string) => `SELECT ${COLUMNS} FROM (
    SELECT *, sum(anzahl) OVER reihe - anzahl AS ereignisse_davor, sum(umfang) OVER reihe - umfang AS umfang_davor
    FROM (${waiting}) AS naechste WINDOW reihe AS (ORDER BY eingang_id, mandant_id)
  ) AS gezaehlt WHERE ereignisse_davor < ${events} AND umfang_davor < ${MAX_BYTES} ORDER BY eingang_id, mandant_id`;
const NEXT_ROWS = upToAStretch(
  `SELECT * FROM eingang WHERE mandant_id = $1 AND eingang_id > $2 AND eingang_id <> ALL($3::uuid[])
   ORDER BY eingang_id LIMIT ${MAX_BATCHES}`,
  '$4::int',
);
const ROWS_OF_SEVERAL = upToAStretch(
  `SELECT * FROM eingang WHERE mandant_id = ANY($1::uuid[]) ORDER BY eingang_id LIMIT ${MAX_SMALL_BATCHES}`,
  '$2::int',
);
const THESE_ROWS = `SELECT ${COLUMNS} FROM eingang WHERE mandant_id = $1 AND eingang_id = ANY($2::uuid[]) ORDER BY eingang_id`;

/** What is known of a Mandant. */
type Known = Pick<
  Surroundings,
  'localHour' | 'agentProjekte' | 'prices' | 'reportedCosts' | 'fassung' | 'aboWeiterbelasten' | 'kept'
>;

/** … whose own dimensions go by when a batch was received. */
interface KnownMandant extends Known {
  eigeneMerkmale: OwnNamesSince[];
}

interface Settings extends Record<string, unknown> {
  mandant_id: string;
  zeitzone: string;
  abo_weiterbelasten: boolean;
  eigene_merkmale: OwnNamesSince[];
}

const forCounting = ({ prices, reportedCosts, fassung }: PricesOfMandant) => ({
  prices,
  reportedCosts,
  fassung,
});

export class InboxReader {
  readonly #db: OwnerDatabase;
  readonly #substitute: Substitute;
  readonly #books: ReturnType<typeof createMandantPrices>;
  readonly #kept: RememberedChoices;
  readonly #zones = new Map<string, (epochMs: number) => LocalHour>();
  readonly #spare: CopyBuffer[] = [];
  #rates: ExchangeRates | null = null;
  #ratesUntil = 0;

  constructor(db: OwnerDatabase, prices: PriceList, substitute: Substitute, kept: RememberedChoices) {
    this.#db = db;
    this.#substitute = substitute;
    this.#books = createMandantPrices(prices);
    this.#kept = kept;
  }

  /** The next stretch of a Mandant after `afterId` without the batches that are `underWay`; null when there is none. */
  next(
    mandant: string,
    afterId: string,
    underWay: string[],
    { events, work }: Share = WHOLE,
  ): Promise<Stretch | null> {
    return this.#read(NEXT_ROWS, [mandant, afterId, underWay, events], work);
  }

  /** What waits of several Mandanten; the rest of it, where it is more than a stretch, waits on. Null when nothing does. */
  several(mandanten: string[]): Promise<Stretch | null> {
    return this.#read(ROWS_OF_SEVERAL, [mandanten, SHARED.events], SHARED.work);
  }

  /** These batches of a Mandant; null when they are gone. */
  some(mandant: string, eingangIds: readonly string[]): Promise<Stretch | null> {
    return this.#read(THESE_ROWS, [mandant, eingangIds]);
  }

  /** One batch, to be counted in parts; null when it is gone. Throws on bytes that are no batch. */
  async open(mandant: string, eingangId: string): Promise<OpenBatch | null> {
    const [batch] = await this.#readRows(THESE_ROWS, [mandant, [eingangId]]);
    return batch ? openBatch(batch) : null;
  }

  /** Takes back the memory of a stretch whose data the database has taken completely. */
  recycle({ eventData }: Stretch): void {
    if (this.#spare.length >= MAX_SPARE || eventData.capacity > MAX_SPARE_BYTES) return;
    eventData.reset();
    this.#spare.push(eventData);
  }

  async #read(select: string, values: unknown[], work?: number): Promise<Stretch | null> {
    const batches = await this.#readRows(select, values);
    if (batches.length === 0) return null;
    return toStretch(batches, new Map(), this.#spare.pop() ?? new CopyBuffer(USUAL_BYTES), work);
  }

  async #readRows(select: string, values: unknown[]): Promise<Batch[]> {
    const { rows } = await this.#db.query<InboxRow>(select, values);
    if (rows.length === 0) return [];
    const mandanten = [...new Set(rows.map((row) => row.mandant_id))];
    const [known, rates] = await Promise.all([this.#readMandanten(mandanten), this.#currentRates()]);
    return rows.map((row) => {
      const { eigeneMerkmale, ...ofMandant } = known.get(row.mandant_id) as KnownMandant;
      const received = instantOf(row.empfangen_am);
      const around = {
        ...ofMandant,
        eigeneMerkmale: ownNamesAt(eigeneMerkmale, received),
        rates,
        received,
        schluessel: callKey(row.schluessel_id),
        schluesselProjekt: row.projekt,
      };
      return { row, around };
    });
  }

  async #readMandanten(mandanten: string[]): Promise<Map<string, KnownMandant>> {
    const [settings, chosen, editions, kept] = await Promise.all([
      this.#db.query<Settings>(
        'SELECT mandant_id, zeitzone, abo_weiterbelasten, eigene_merkmale FROM mandanten WHERE mandant_id = ANY($1::uuid[])',
        [mandanten],
      ),
      this.#db.query<{ mandant_id: string; schluessel: string; projekt: string }>(
        'SELECT mandant_id, schluessel, projekt FROM agenten WHERE mandant_id = ANY($1::uuid[]) AND projekt_fest',
        [mandanten],
      ),
      this.#books.editions(this.#db, mandanten),
      this.#kept.of(this.#db, mandanten),
    ]);
    const settingsOf = new Map(settings.rows.map((row) => [row.mandant_id, row]));
    const chosenOf = Map.groupBy(chosen.rows, (row) => row.mandant_id);
    const known = new Map<string, KnownMandant>();
    for (const mandant of mandanten) {
      const settings = settingsOf.get(mandant);
      const zone = settings?.zeitzone ?? 'UTC';
      known.set(mandant, {
        localHour: this.#localHours(zone),
        kept: kept.get(mandant) as KeptChoice,
        aboWeiterbelasten: settings?.abo_weiterbelasten ?? false,
        eigeneMerkmale: settings?.eigene_merkmale ?? [],
        agentProjekte: new Map(chosenOf.get(mandant)?.map((row) => [row.schluessel, row.projekt])),
        ...forCounting(await this.#books.of(this.#db, mandant, editions.get(mandant) ?? 0, zone)),
      });
    }
    return known;
  }

  #localHours(zone: string): (epochMs: number) => LocalHour {
    const known = this.#zones.get(zone) ?? createLocalHours(zone);
    if (this.#zones.size >= MAX_ZONES) this.#zones.clear();
    this.#zones.set(zone, known);
    return known;
  }

  async #currentRates(): Promise<ExchangeRates> {
    if (!this.#rates || Date.now() > this.#ratesUntil) {
      this.#rates = await loadExchangeRates(this.#db, this.#substitute);
      this.#ratesUntil = Date.now() + RATES_KEPT;
    }
    return this.#rates;
  }
}
