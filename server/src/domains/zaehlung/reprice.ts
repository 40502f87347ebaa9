/** Calls that were counted before are priced anew, some at a time, at the exchange rate they were counted with. */
import type pg from 'pg';
import type { PricedCall, PricesOfMandant } from '#domains/preise/index.ts';
import { createLocalHours } from '#kernel/local-hours.ts';
import { type Usd, usdFrom } from '#kernel/money.ts';
import { changeCalls, type Stand } from './change-calls.ts';
import { COUNTED_ROW, type CountedRow } from './counted-row.ts';
import { asPriced, priceAgain } from './price-again.ts';

/** A call in the order in which they are looked at. */
export interface Place {
  zeitpunkt: string;
  ereignis_id: string;
}

/** Which calls of whom are looked at next. */
export interface Stretch {
  mandant: string;
  zone: string;
  /** ISO 8601, as the database reads it. */
  from: string;
  /** … and the first instant that is not meant. */
  to: string;
  /** The last call that was looked at; null: none yet. */
  after: Place | null;
  limit: number;
}

/** A call whose price is another one now. Amounts as they are kept, null where unknown. */
export interface Repriced {
  row: CountedRow;
  /** Local day. */
  tag: string;
  before: Usd | null;
  price: PricedCall;
}

/** What was looked at: how many calls, the last of them, and those whose price is another one now. */
export interface Looked {
  read: number;
  last: Place | null;
  changed: Repriced[];
}

// As text: a driver's date has no microseconds.
const readNext = (condition: string) => `SELECT ${COUNTED_ROW}
  FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2 AND zeitpunkt < $3 AND (zeitpunkt, ereignis_id) > ($4::timestamptz, $5::uuid) AND ${condition}
  ORDER BY zeitpunkt, ereignis_id LIMIT $6`;
const BEFORE_ALL: Place = { zeitpunkt: '-infinity', ereignis_id: '00000000-0000-0000-0000-000000000000' };

/** The next calls of a stretch that meet a condition (SQL), in their order, and the last of them; null: there are none. */
export async function readNextCalls(
  client: pg.ClientBase,
  { mandant, from, to, after, limit }: Omit<Stretch, 'zone'>,
  condition = 'true',
): Promise<{ rows: CountedRow[]; last: Place | null }> {
  const behind = after ?? BEFORE_ALL;
  const values = [mandant, after?.zeitpunkt ?? from, to, behind.zeitpunkt, behind.ereignis_id, limit];
  const { rows } = await client.query<CountedRow>(readNext(condition), values);
  const last = rows.at(-1);
  return { rows, last: last ? { zeitpunkt: last.zeitpunkt, ereignis_id: last.ereignis_id } : null };
}

/** Null where the price is as it was: its source then stays the one that priced it. */
function repricedOf(
  row: CountedRow,
  prices: PricesOfMandant,
  localHour: ReturnType<typeof createLocalHours>,
): Repriced | null {
  const price = priceAgain(row, prices);
  const before = row.kosten_usd === null ? null : usdFrom(row.kosten_usd);
  if (price.usd === before && price.partial === row.teilbepreist) return null;
  return { row, tag: localHour(Date.parse(row.zeitpunkt)).tag, before, price };
}

/** Looks at the calls of a stretch, and changes nothing. */
export async function lookAtPrices(
  client: pg.ClientBase,
  stretch: Stretch,
  prices: PricesOfMandant,
): Promise<Looked> {
  const { rows, last } = await readNextCalls(client, stretch);
  const localHour = createLocalHours(stretch.zone);
  return {
    read: rows.length,
    last,
    changed: rows.flatMap((row) => repricedOf(row, prices, localHour) ?? []),
  };
}

/** Prices the calls of a stretch anew, in the caller's transaction, which holds the counting lock. */
export async function repriceCalls(
  client: pg.PoolClient,
  stand: Stand,
  stretch: Stretch,
  prices: PricesOfMandant,
): Promise<Looked> {
  const looked = await lookAtPrices(client, stretch, prices);
  const changes = looked.changed.map(({ row, price }) => ({ row, now: asPriced(price) }));
  await changeCalls(client, stretch.mandant, stand, changes);
  return looked;
}
