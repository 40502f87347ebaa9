/** What the calls of a day cost, as they reported it or by the price book, beside the list. Runs as the owner. */
import type pg from 'pg';
import type { MandantPrices } from '#domains/preise/index.ts';
import { type CallBesideList, type Place, readBesideList } from '#domains/zaehlung/index.ts';
import type { Selected } from '#jobs/index.ts';
import { EUR_SCALE, textOf } from '#kernel/money.ts';

export interface OpenDay extends Selected {
  zeitzone: string;
  /** Local day, YYYY-MM-DD. */
  tag: string;
}

interface Sum {
  aufrufe: number;
  kosten: bigint;
  /** Of those alone whose other price is known. */
  verglichen: number;
  gezaehlt: bigint;
  liste: bigint;
}

/** By provider. */
type Sums = Map<string, Sum>;

const AT_ONCE = 10_000;

// Read before the calls: what is counted meanwhile leaves the day open.
const STATE = 'SELECT geaendert FROM verbrauch_tagesstand WHERE mandant_id = $1 AND tag = $2';
const FORGET_REPORTED = 'DELETE FROM gemeldete_kosten WHERE mandant_id = $1 AND tag = $2';
const FORGET_BOOK = 'DELETE FROM preisbuch_kosten WHERE mandant_id = $1 AND tag = $2';
const STORE_REPORTED = `INSERT INTO gemeldete_kosten (mandant_id, tag, anbieter, aufrufe, verglichen, gemeldet_eur, liste_eur)
  SELECT $1, $2, * FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::numeric[], $7::numeric[])`;
const STORE_BOOK = `INSERT INTO preisbuch_kosten
    (mandant_id, tag, anbieter, aufrufe, verglichen, preisbuch_eur, listenpreis_eur, kosten_eur)
  SELECT $1, $2, * FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::numeric[], $7::numeric[], $8::numeric[])`;
const NOTE = `INSERT INTO gemeldete_kosten_tage (mandant_id, tag, geaendert, preisbuch) VALUES ($1, $2, $3, $3)
  ON CONFLICT (mandant_id, tag) DO UPDATE SET geaendert = excluded.geaendert, preisbuch = excluded.preisbuch`;

function add(sums: Sums, { anbieter, cost, other }: CallBesideList): void {
  const sum = sums.get(anbieter) ?? { aufrufe: 0, kosten: 0n, verglichen: 0, gezaehlt: 0n, liste: 0n };
  sums.set(anbieter, sum);
  sum.aufrufe += 1;
  sum.kosten += cost;
  if (other === null) return;
  sum.verglichen += 1;
  sum.gezaehlt += cost;
  sum.liste += other;
}

const midnight = (day: Temporal.PlainDate, zone: string) => day.toZonedDateTime(zone).toInstant().toString();

async function sumsOf(
  client: pg.PoolClient,
  { mandant_id: mandant, zeitzone, tag }: OpenDay,
  books: MandantPrices,
): Promise<Record<CallBesideList['by'], Sums>> {
  const date = Temporal.PlainDate.from(tag);
  const prices = {
    book: await books.current(client, mandant, zeitzone),
    list: await books.of(client, mandant, 0, zeitzone),
  };
  const sums = { gemeldet: new Map(), preisbuch: new Map() };
  const from = midnight(date, zeitzone);
  const to = midnight(date.add({ days: 1 }), zeitzone);
  for (let after: Place | null = null; ; ) {
    const stretch = { mandant, from, to, limit: AT_ONCE, after };
    const { calls, last } = await readBesideList(client, stretch, prices);
    for (const call of calls) add(sums[call.by], call);
    if (last === null) return sums;
    after = last;
  }
}

const eur = (amounts: bigint[]) => amounts.map((amount) => textOf(amount, EUR_SCALE));

/** The columns that both tables have. */
const columnsOf = (sums: Sums) => {
  const all = [...sums.values()];
  return [
    [...sums.keys()],
    all.map(({ aufrufe }) => aufrufe),
    all.map(({ verglichen }) => verglichen),
    eur(all.map(({ gezaehlt }) => gezaehlt)),
    eur(all.map(({ liste }) => liste)),
  ];
};

/** Works it out anew, in the caller's transaction. */
export async function compareDay(client: pg.PoolClient, day: OpenDay, books: MandantPrices): Promise<void> {
  const key = [day.mandant_id, day.tag];
  const { rows } = await client.query<{ geaendert: string }>(STATE, key);
  const { gemeldet, preisbuch } = await sumsOf(client, day, books);
  await client.query(FORGET_REPORTED, key);
  await client.query(FORGET_BOOK, key);
  if (gemeldet.size > 0) await client.query(STORE_REPORTED, [...key, ...columnsOf(gemeldet)]);
  const costs = eur([...preisbuch.values()].map(({ kosten }) => kosten));
  if (preisbuch.size > 0) await client.query(STORE_BOOK, [...key, ...columnsOf(preisbuch), costs]);
  await client.query(NOTE, [...key, rows[0]?.geaendert ?? 0]);
}
