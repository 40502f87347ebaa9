/**
 * Calls that were counted before their model had a price get it as soon as there is one: event, rollups and run change in
 * one transaction under the Mandant's counting lock, at the exchange rate the event was counted with.
 */
import type pg from 'pg';
import {
  createMandantPrices,
  type MandantPrices,
  type PriceList,
  type PricesOfMandant,
} from '#domains/preise/index.ts';
import { forEveryMandant, type JobContext, type Selected } from '#jobs/index.ts';
import { createLocalHours, type LocalHour } from '#kernel/local-hours.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { rateFrom, textOf, toEur, USD_SCALE } from '#kernel/money.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import {
  addDifferences,
  CHANGES_UNTIL,
  type ChangedEvent,
  eventOf,
  isBurnt,
  lockCounting,
  type Stand,
} from './differences.ts';
import { giveWay } from './give-way.ts';
import { latePriceOfKey } from './key-sums.ts';
import { PRICED_ROW, type PricedRow, priceAgain } from './price-again.ts';
import { latePrice } from './runs.ts';
import { LATE_PRICE } from './sums/figures.ts';

/** A local day on which some calls have no price yet. */
interface Day extends Selected {
  zeitzone: string;
  tag: string;
}

/** Calls of one model on one local day of which some have no price yet. */
interface Gap extends Day {
  anbieter: string;
  modell: string;
}

/** A call and what it is now that its price is known. */
interface PricedEvent {
  row: PricedRow;
  event: ChangedEvent;
}

const PER_TRANSACTION = 2_000;

// Calls without any token count stay unpriced whatever the price: what they used is unknown, unless they say what they cost.
const PRICEABLE = `kosten_usd IS NULL AND (eingabe_ohne_cache IS NOT NULL OR zusatz->'gemeldete_kosten_usd' IS NOT NULL)`;

// What is older than what is kept stays as it is: its events are removed, or will be.
const DAYS = `SELECT v.mandant_id, m.zeitzone, v.tag FROM verbrauch_tagesstand v JOIN mandanten m USING (mandant_id)
  WHERE v.unbepreist > 0 AND v.tag > coalesce(${CHANGES_UNTIL}, '-infinity')`;
const MODELS = `SELECT DISTINCT coalesce(anbieter, '') AS anbieter, coalesce(modell, '') AS modell FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2::date::timestamp AT TIME ZONE $3
    AND zeitpunkt < ($2::date + 1)::timestamp AT TIME ZONE $3 AND ${PRICEABLE}`;

const UNPRICED = `SELECT ${PRICED_ROW}
  FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2::date::timestamp AT TIME ZONE $3
    AND zeitpunkt < ($2::date + 1)::timestamp AT TIME ZONE $3
    AND coalesce(anbieter, '') = $4 AND coalesce(modell, '') = $5 AND ${PRICEABLE}
    AND (zeitpunkt, ereignis_id) > ($6, $7)
  ORDER BY zeitpunkt, ereignis_id LIMIT ${PER_TRANSACTION}`;

function price(
  row: PricedRow,
  prices: PricesOfMandant,
  localHour: (ms: number) => LocalHour,
): PricedEvent | null {
  const { usd, partial, source } = priceAgain(row, prices);
  if (usd === null) return null;
  const event = eventOf(row, localHour, {
    buckets: null,
    usd,
    eur: toEur(usd, rateFrom(row.kurs_usd_eur)),
    preisQuelle: source,
    teilbepreist: partial,
    failed: isBurnt(row),
  });
  return { row, event };
}

async function store(
  client: pg.PoolClient,
  mandant: string,
  stand: Stand,
  events: PricedEvent[],
): Promise<void> {
  await client.query(
    `UPDATE ereignisse e SET kosten_usd = neu.usd, preis_quelle = neu.quelle, teilbepreist = neu.teil
     FROM unnest($2::uuid[], $3::timestamptz[], $4::numeric[], $5::text[], $6::boolean[])
       AS neu (id, zeitpunkt, usd, quelle, teil)
     WHERE e.mandant_id = $1 AND e.zeitpunkt = neu.zeitpunkt AND e.ereignis_id = neu.id`,
    [
      mandant,
      events.map(({ row }) => row.ereignis_id),
      events.map(({ row }) => row.zeitpunkt),
      events.map(({ event }) => textOf(event.usd ?? 0n, USD_SCALE)),
      events.map(({ event }) => event.preisQuelle),
      events.map(({ event }) => event.teilbepreist),
    ],
  );
  const difference = { toSums: LATE_PRICE, toRuns: latePrice, toKeys: latePriceOfKey, rereads: true };
  await addDifferences(
    client,
    mandant,
    stand,
    events.map(({ event }) => event),
    difference,
  );
}

/** Closes one gap as far as prices are known; resolves with the number of events priced. */
async function closeGap(db: OwnerDatabase, gap: Gap, books: MandantPrices): Promise<number> {
  const localHour = createLocalHours(gap.zeitzone);
  let after: [string, string] = ['-infinity', '00000000-0000-0000-0000-000000000000'];
  let priced = 0;
  for (;;) {
    await giveWay(db, gap.mandant_id);
    const rows = await db.transaction(async (client) => {
      const stand = await lockCounting(client, gap.mandant_id);
      // The Mandant has been removed.
      if (!stand) return [];
      const found = await client.query<PricedRow>(UNPRICED, [
        gap.mandant_id,
        gap.tag,
        gap.zeitzone,
        gap.anbieter,
        gap.modell,
        ...after,
      ]);
      const prices = await books.current(client, gap.mandant_id, gap.zeitzone);
      const events = found.rows.flatMap((row) => price(row, prices, localHour) ?? []);
      if (events.length > 0) await store(client, gap.mandant_id, stand, events);
      priced += events.length;
      return found.rows;
    });
    const last = rows.at(-1);
    if (!last || rows.length < PER_TRANSACTION) return priced;
    after = [last.zeitpunkt, last.ereignis_id];
  }
}

/** Prices what can be priced now of a day; resolves with the number of events. */
async function priceDay(db: OwnerDatabase, books: MandantPrices, day: Day): Promise<number> {
  const models = await db.query<Pick<Gap, 'anbieter' | 'modell'>>(MODELS, [
    day.mandant_id,
    day.tag,
    day.zeitzone,
  ]);
  const { prices, reportedCosts } = await books.current(db, day.mandant_id, day.zeitzone);
  // Both ends of the day together know every price that holds on it; each event is then asked for at its own time.
  const begin = Temporal.PlainDate.from(day.tag).toZonedDateTime(day.zeitzone);
  const ends = [begin.epochMilliseconds, begin.add({ days: 1 }).epochMilliseconds - 1];
  let priced = 0;
  for (const { anbieter, modell } of models.rows) {
    const ratesAt = prices.model(anbieter || null, modell);
    if (reportedCosts || ends.some(ratesAt))
      priced += await closeGap(db, { ...day, anbieter, modell }, books);
  }
  return priced;
}

/**
 * Prices what can be priced now, for all Mandanten; resolves with the number of events. A day that fails does not keep the others.
 * Safe to repeat.
 */
export async function applyLatePrices(
  { owner, log }: Pick<JobContext, 'owner' | 'log'>,
  list: PriceList,
): Promise<number> {
  const books = createMandantPrices(list);
  const priced = await forEveryMandant({ owner, log }, DAYS, (_, day: Day) => priceDay(owner, books, day));
  return priced.reduce((sum, events) => sum + events, 0);
}

/** The same for one Mandant. Throws at the first day that fails. */
export async function applyLatePricesOf(
  owner: OwnerDatabase,
  list: PriceList,
  mandant: MandantId,
): Promise<number> {
  const books = createMandantPrices(list);
  const { rows } = await owner.query<Day>(`${DAYS} AND mandant_id = $1`, [mandant]);
  let priced = 0;
  for (const day of rows) priced += await priceDay(owner, books, day);
  return priced;
}
