/** What changes, by month and agent. */
import type pg from 'pg';
import type { Repriced } from '#domains/zaehlung/index.ts';
import { EUR_SCALE, rateFrom, textOf, toEur, USD_SCALE, type Usd } from '#kernel/money.ts';

interface Line {
  monat: string;
  agent: string;
  geaendert: number;
  alt: bigint;
  neu: bigint;
  eur: bigint;
  unbepreist: number;
}

const ADD = `INSERT INTO neubepreisung_zeilen AS z
    (mandant_id, neubepreisung_id, monat, agent, geaendert, alt_usd, neu_usd, differenz_eur, unbepreist)
  SELECT $1, $2, * FROM unnest($3::date[], $4::text[], $5::bigint[], $6::numeric[], $7::numeric[], $8::numeric[], $9::bigint[])
  ON CONFLICT (mandant_id, neubepreisung_id, monat, agent) DO UPDATE SET geaendert = z.geaendert + excluded.geaendert,
    alt_usd = z.alt_usd + excluded.alt_usd, neu_usd = z.neu_usd + excluded.neu_usd,
    differenz_eur = z.differenz_eur + excluded.differenz_eur, unbepreist = z.unbepreist + excluded.unbepreist`;

function linesOf(changed: readonly Repriced[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { row, tag, before, price } of changed) {
    const monat = `${tag.slice(0, 7)}-01`;
    const key = `${monat} ${row.agent}`;
    const line = lines.get(key) ?? {
      monat,
      agent: row.agent,
      geaendert: 0,
      alt: 0n,
      neu: 0n,
      eur: 0n,
      unbepreist: 0,
    };
    lines.set(key, line);
    line.geaendert += 1;
    line.alt += before ?? 0n;
    line.neu += price.usd ?? 0n;
    line.eur += toEur(((price.usd ?? 0n) - (before ?? 0n)) as Usd, rateFrom(row.kurs_usd_eur));
    line.unbepreist += Number(price.usd === null) - Number(before === null);
  }
  return [...lines.values()];
}

/** Adds what changes to the lines of a repricing. */
export async function addLines(
  client: pg.ClientBase,
  mandant: string,
  id: string,
  changed: readonly Repriced[],
): Promise<void> {
  const lines = linesOf(changed);
  if (lines.length === 0) return;
  await client.query(ADD, [
    mandant,
    id,
    lines.map(({ monat }) => monat),
    lines.map(({ agent }) => agent),
    lines.map(({ geaendert }) => geaendert),
    lines.map(({ alt }) => textOf(alt, USD_SCALE)),
    lines.map(({ neu }) => textOf(neu, USD_SCALE)),
    lines.map(({ eur }) => textOf(eur, EUR_SCALE)),
    lines.map(({ unbepreist }) => unbepreist),
  ]);
}
