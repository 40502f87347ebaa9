/** Calls that were counted before their model had a price get it as soon as there is one, at the exchange rate they were counted with. */
import { createMandantPrices, type MandantPrices, type PriceList } from '#domains/preise/index.ts';
import { forEveryMandant, type JobContext, type Selected } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { CHANGES_UNTIL, changeCalls, lockCounting } from './change-calls.ts';
import { COUNTED_ROW, type CountedRow } from './counted-row.ts';
import { giveWay } from './give-way.ts';
import { asPriced, priceAgain } from './price-again.ts';

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

const PER_TRANSACTION = 2_000;

// Calls without any token count stay unpriced whatever the price: what they used is unknown, unless they say what they cost.
const PRICEABLE = `kosten_usd IS NULL AND (eingabe_ohne_cache IS NOT NULL OR zusatz->'gemeldete_kosten_usd' IS NOT NULL)`;

// What is older than what is kept stays as it is: its events are removed, or will be.
const DAYS = `SELECT v.mandant_id, m.zeitzone, v.tag FROM verbrauch_tagesstand v JOIN mandanten m USING (mandant_id)
  WHERE v.unbepreist > 0 AND v.tag > coalesce(${CHANGES_UNTIL}, '-infinity')`;
const MODELS = `SELECT DISTINCT coalesce(anbieter, '') AS anbieter, coalesce(modell, '') AS modell FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2::date::timestamp AT TIME ZONE $3
    AND zeitpunkt < ($2::date + 1)::timestamp AT TIME ZONE $3 AND ${PRICEABLE}`;

const UNPRICED = `SELECT ${COUNTED_ROW}
  FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2::date::timestamp AT TIME ZONE $3
    AND zeitpunkt < ($2::date + 1)::timestamp AT TIME ZONE $3
    AND coalesce(anbieter, '') = $4 AND coalesce(modell, '') = $5 AND ${PRICEABLE}
    AND (zeitpunkt, ereignis_id) > ($6, $7)
  ORDER BY zeitpunkt, ereignis_id LIMIT ${PER_TRANSACTION}`;

/** Closes one gap as far as prices are known; resolves with the number of events priced. */
async function closeGap(db: OwnerDatabase, gap: Gap, books: MandantPrices): Promise<number> {
  let after: [string, string] = ['-infinity', '00000000-0000-0000-0000-000000000000'];
  let priced = 0;
  for (;;) {
    await giveWay(db, gap.mandant_id);
    const rows = await db.transaction(async (client) => {
      const stand = await lockCounting(client, gap.mandant_id);
      // The Mandant has been removed.
      if (!stand) return [];
      const found = await client.query<CountedRow>(UNPRICED, [
        gap.mandant_id,
        gap.tag,
        gap.zeitzone,
        gap.anbieter,
        gap.modell,
        ...after,
      ]);
      const prices = await books.current(client, gap.mandant_id, gap.zeitzone);
      const changes = found.rows
        .map((row) => ({ row, price: priceAgain(row, prices) }))
        .filter(({ price }) => price.usd !== null)
        .map(({ row, price }) => ({ row, now: asPriced(price) }));
      await changeCalls(client, gap.mandant_id, stand, changes);
      priced += changes.length;
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
