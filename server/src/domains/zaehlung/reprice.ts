/**
 * Calls that were counted before are priced anew, some at a time: event, sums and run change in one transaction under the Mandant's
 * counting lock, at the exchange rate the event was counted with.
 */
import type pg from 'pg';
import type { PricedCall, PricesOfMandant } from '#domains/preise/index.ts';
import { createLocalHours, type LocalHour } from '#kernel/local-hours.ts';
import { rateFrom, textOf, toEur, USD_SCALE, type Usd, usdFrom } from '#kernel/money.ts';
import {
  addDifferences,
  type ChangedEvent,
  type CountedRow,
  eventOf,
  isBurnt,
  type Stand,
} from './differences.ts';
import { costOfKey, type KeyAddition } from './key-sums.ts';
import { PRICED_ROW, type PricedRow, priceAgain } from './price-again.ts';
import { cost, type RunAddition, type RunTotal } from './runs.ts';
import { REPRICED, type RepricedEvent } from './sums/figures.ts';

interface Row extends PricedRow {
  kosten_usd: string | null;
  teilbepreist: boolean;
}

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
  row: Pick<CountedRow, 'agent' | 'kurs_usd_eur' | 'ereignis_id' | 'zeitpunkt'>;
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
const READ = `SELECT ${PRICED_ROW}, trim_scale(kosten_usd)::text AS kosten_usd, teilbepreist
  FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2 AND zeitpunkt < $3 AND (zeitpunkt, ereignis_id) > ($4::timestamptz, $5::uuid)
  ORDER BY zeitpunkt, ereignis_id LIMIT $6`;
const BEFORE_ALL: Place = { zeitpunkt: '-infinity', ereignis_id: '00000000-0000-0000-0000-000000000000' };

const UPDATE = `UPDATE ereignisse e SET kosten_usd = neu.usd, preis_quelle = neu.quelle, teilbepreist = neu.teil
  FROM unnest($2::uuid[], $3::timestamptz[], $4::numeric[], $5::text[], $6::boolean[]) AS neu (id, zeitpunkt, usd, quelle, teil)
  WHERE e.mandant_id = $1 AND e.zeitpunkt = neu.zeitpunkt AND e.ereignis_id = neu.id
    AND e.zeitpunkt >= $7 AND e.zeitpunkt <= $8`;
// A run none of whose calls has a price has no cost; what is added up cannot tell that from nothing.
const FORGET = `UPDATE laeufe SET kosten_usd = NULL, kosten_eur = NULL
  WHERE mandant_id = $1 AND lauf_id = ANY($2::uuid[]) AND unbepreist = aufrufe`;

interface Change extends Repriced {
  row: Row;
  event: RepricedEvent & ChangedEvent;
}

const isEstimate = (row: Row, partial: boolean) => row.geschaetzt || partial;

/** Null where the price is as it was: its source then stays the one that priced it. */
function changeOf(row: Row, prices: PricesOfMandant, localHour: (ms: number) => LocalHour): Change | null {
  const price = priceAgain(row, prices);
  const before = row.kosten_usd === null ? null : usdFrom(row.kosten_usd);
  if (price.usd === before && price.partial === row.teilbepreist) return null;
  const rate = rateFrom(row.kurs_usd_eur);
  const eurOf = (usd: Usd | null): bigint => (usd === null ? 0n : toEur(usd, rate));
  const was = eurOf(before);
  const is = eurOf(price.usd);
  const event = eventOf(row, localHour, {
    buckets: null,
    usd: (price.usd ?? 0n) - (before ?? 0n),
    eur: is - was,
    preisQuelle: price.source,
    teilbepreist: price.partial,
    failed: isBurnt(row),
  });
  const difference = {
    unbepreist: Number(price.usd === null) - Number(before === null),
    teilbepreist: Number(price.partial) - Number(row.teilbepreist),
    geschaetztEur:
      (isEstimate(row, price.partial) ? is : 0n) - (isEstimate(row, row.teilbepreist) ? was : 0n),
  };
  return { row, tag: event.tag, before, price, event: { ...event, difference } };
}

async function look(
  client: pg.ClientBase,
  stretch: Stretch,
  prices: PricesOfMandant,
): Promise<Looked & { changed: Change[] }> {
  const { mandant, from, to, after, limit } = stretch;
  const behind = after ?? BEFORE_ALL;
  const values = [mandant, after?.zeitpunkt ?? from, to, behind.zeitpunkt, behind.ereignis_id, limit];
  const { rows } = await client.query<Row>({ name: 'neu_bepreisen_lesen', text: READ, values });
  const localHour = createLocalHours(stretch.zone);
  const changed = rows.flatMap((row) => changeOf(row, prices, localHour) ?? []);
  const last = rows.at(-1);
  return {
    read: rows.length,
    last: last ? { zeitpunkt: last.zeitpunkt, ereignis_id: last.ereignis_id } : null,
    changed,
  };
}

/** Looks at the calls of a stretch, and changes nothing. */
export const lookAtPrices = (
  client: pg.ClientBase,
  stretch: Stretch,
  prices: PricesOfMandant,
): Promise<Looked> => look(client, stretch, prices);

const repriced: RunAddition = (total: RunTotal, event) => {
  const { difference } = event as RepricedEvent;
  cost(total, event);
  total.unbepreist += difference.unbepreist;
  total.teilbepreist += difference.teilbepreist;
};

const repricedOfKey: KeyAddition = (total, event) => {
  total.unbepreist += (event as RepricedEvent).difference.unbepreist;
  costOfKey(total, event);
};

async function store(client: pg.PoolClient, mandant: string, stand: Stand, changed: Change[]): Promise<void> {
  const times = changed.map(({ row }) => row.zeitpunkt);
  await client.query({
    name: 'neu_bepreisen',
    text: UPDATE,
    values: [
      mandant,
      changed.map(({ row }) => row.ereignis_id),
      times,
      changed.map(({ price }) => (price.usd === null ? null : textOf(price.usd, USD_SCALE))),
      changed.map(({ price }) => price.source),
      changed.map(({ price }) => price.partial),
      times[0],
      times.at(-1),
    ],
  });
  const events = changed.map(({ event }) => event);
  await addDifferences(client, mandant, stand, events, {
    toSums: REPRICED,
    toRuns: repriced,
    toKeys: repricedOfKey,
    rereads: true,
  });
  const unknown = changed.filter(({ price, row }) => price.usd === null && row.lauf_id !== null);
  const runs = [...new Set(unknown.map(({ row }) => row.lauf_id))];
  if (runs.length > 0) await client.query(FORGET, [mandant, runs]);
}

/** Prices the calls of a stretch anew, in the caller's transaction, which holds the counting lock. */
export async function repriceCalls(
  client: pg.PoolClient,
  stand: Stand,
  stretch: Stretch,
  prices: PricesOfMandant,
): Promise<Looked> {
  const looked = await look(client, stretch, prices);
  if (looked.changed.length > 0) await store(client, stretch.mandant, stand, looked.changed);
  return looked;
}
