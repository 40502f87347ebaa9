/** What the calls of a day reported as their cost, beside what they cost by price book and list. Runs as the owner. */
import type pg from 'pg';
import type { MandantPrices } from '#domains/preise/index.ts';
import { type Place, type ReportedCall, readReported } from '#domains/zaehlung/index.ts';
import type { Selected } from '#jobs/index.ts';
import { EUR_SCALE, textOf } from '#kernel/money.ts';

export interface OpenDay extends Selected {
  zeitzone: string;
  /** Local day, YYYY-MM-DD. */
  tag: string;
}

interface Sum {
  aufrufe: number;
  verglichen: number;
  gemeldet: bigint;
  liste: bigint;
}

const AT_ONCE = 10_000;

// Read before the calls: what is counted meanwhile leaves the day open.
const STATE = 'SELECT geaendert FROM verbrauch_tagesstand WHERE mandant_id = $1 AND tag = $2';
const FORGET = 'DELETE FROM gemeldete_kosten WHERE mandant_id = $1 AND tag = $2';
const STORE = `INSERT INTO gemeldete_kosten (mandant_id, tag, anbieter, aufrufe, verglichen, gemeldet_eur, liste_eur)
  SELECT $1, $2, * FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::numeric[], $7::numeric[])`;
const NOTE = `INSERT INTO gemeldete_kosten_tage (mandant_id, tag, geaendert) VALUES ($1, $2, $3)
  ON CONFLICT (mandant_id, tag) DO UPDATE SET geaendert = excluded.geaendert`;

function add(sums: Map<string, Sum>, { anbieter, reported, list }: ReportedCall): void {
  const sum = sums.get(anbieter) ?? { aufrufe: 0, verglichen: 0, gemeldet: 0n, liste: 0n };
  sums.set(anbieter, sum);
  sum.aufrufe += 1;
  if (list === null) return;
  sum.verglichen += 1;
  sum.gemeldet += reported;
  sum.liste += list;
}

const midnight = (day: Temporal.PlainDate, zone: string) => day.toZonedDateTime(zone).toInstant().toString();

async function sumsOf(client: pg.PoolClient, day: OpenDay, books: MandantPrices): Promise<Map<string, Sum>> {
  const { mandant_id: mandant, zeitzone } = day;
  const date = Temporal.PlainDate.from(day.tag);
  const prices = await books.current(client, mandant, zeitzone);
  const sums = new Map<string, Sum>();
  const stretch = {
    mandant,
    from: midnight(date, zeitzone),
    to: midnight(date.add({ days: 1 }), zeitzone),
    limit: AT_ONCE,
  };
  for (let after: Place | null = null; ; ) {
    const { calls, last } = await readReported(client, { ...stretch, after }, prices);
    for (const call of calls) add(sums, call);
    if (last === null) return sums;
    after = last;
  }
}

/** Works it out anew, in the caller's transaction. */
export async function compareDay(client: pg.PoolClient, day: OpenDay, books: MandantPrices): Promise<void> {
  const key = [day.mandant_id, day.tag];
  const { rows } = await client.query<{ geaendert: string }>(STATE, key);
  const sums = [...(await sumsOf(client, day, books))];
  await client.query(FORGET, key);
  if (sums.length > 0)
    await client.query(STORE, [
      ...key,
      sums.map(([anbieter]) => anbieter),
      sums.map(([, { aufrufe }]) => aufrufe),
      sums.map(([, { verglichen }]) => verglichen),
      sums.map(([, { gemeldet }]) => textOf(gemeldet, EUR_SCALE)),
      sums.map(([, { liste }]) => textOf(liste, EUR_SCALE)),
    ]);
  await client.query(NOTE, [...key, rows[0]?.geaendert ?? 0]);
}
