/** The lock under which a Mandant is counted, and the batches that are taken out of the inbox with it. */
import type pg from 'pg';
import type { MerkmalStand } from './merkmale.ts';
import type { Part } from './stretch.ts';
import { arrayText } from './write/statement.ts';

/** A Mandant whose counting lock is held, and how many of the batches were still there. */
export interface Locked extends MerkmalStand {
  mandant_id: string;
  marken: number;
  /** The choice of values that have running sums. */
  gefuehrt: number;
  /** The names of the sources that have sums of their own. */
  quellen: string[];
  taken: number;
  /** The edition of the price book in force. */
  fassung: number;
}

// Each Mandant's lock is the row of `zaehlstaende`, held until the transaction ends.
const TAKE = `WITH sperre AS (
    SELECT mandant_id, marken, gefuehrt, quellen, merkmale_anzahl, merkmale_marke FROM zaehlstaende WHERE mandant_id = ANY($1::uuid[])
    ORDER BY mandant_id FOR UPDATE SKIP LOCKED),
  weg AS (DELETE FROM eingang e USING unnest($2::uuid[], $3::uuid[]) AS n (mandant_id, eingang_id)
    WHERE e.mandant_id = n.mandant_id AND e.eingang_id = n.eingang_id AND e.mandant_id IN (SELECT mandant_id FROM sperre)
    RETURNING e.mandant_id)
  SELECT s.*, coalesce(w.taken, 0)::int AS taken, coalesce(b.fassung, 0) AS fassung FROM sperre s
  LEFT JOIN (SELECT mandant_id, max(fassung) AS fassung FROM preisbuecher WHERE mandant_id = ANY($1::uuid[]) GROUP BY mandant_id) AS b
    USING (mandant_id)
  LEFT JOIN (SELECT mandant_id, count(*) AS taken FROM weg GROUP BY mandant_id) AS w USING (mandant_id)`;

// A cluster locks nothing of several nodes at once, and of one only where the statement names its Mandant.
const TAKE_OF_ONE = `WITH sperre AS (
    SELECT mandant_id, marken, gefuehrt, quellen, merkmale_anzahl, merkmale_marke FROM zaehlstaende WHERE mandant_id = $1
    FOR UPDATE SKIP LOCKED),
  weg AS (DELETE FROM eingang WHERE mandant_id = $1 AND eingang_id = ANY($2::uuid[]) AND EXISTS (SELECT FROM sperre)
    RETURNING eingang_id)
  SELECT s.*, (SELECT count(*) FROM weg)::int AS taken,
    (SELECT coalesce(max(fassung), 0) FROM preisbuecher WHERE mandant_id = $1) AS fassung
  FROM sperre s`;

/** Takes batches out of the inbox and answers for each Mandant whether it is locked now, and how many there still were. */
export async function takeBatches(client: pg.PoolClient, parts: Part[]): Promise<Map<string, Locked>> {
  const take = async (from: Part[]) => {
    const [first, second] = from;
    if (!first) return [];
    if (!second) {
      const values = [first.mandant, arrayText(first.eingangIds)];
      const { rows } = await client.query<Locked>({ name: 'nehmen', text: TAKE_OF_ONE, values });
      return rows.map((row) => [row.mandant_id, row] as const);
    }
    const batches = from.flatMap(({ mandant, eingangIds }) => eingangIds.map((id) => [mandant, id] as const));
    const { rows } = await client.query<Locked>({
      name: 'nehmen_mehrerer',
      text: TAKE,
      values: [
        arrayText(from.map(({ mandant }) => mandant)),
        arrayText(batches.map(([mandant]) => mandant)),
        arrayText(batches.map(([, id]) => id)),
      ],
    });
    return rows.map((row) => [row.mandant_id, row] as const);
  };
  const locked = new Map(await take(parts));
  const missing = parts.filter(({ mandant }) => !locked.has(mandant));
  if (missing.length === 0) return locked;
  // Whom others are at work on is not asked for again: beginning anew what they have changed would wait for them.
  const others = await client.query<{ mandant_id: string }>(
    'SELECT mandant_id FROM zaehlstaende WHERE mandant_id = ANY($1::uuid[])',
    [missing.map(({ mandant }) => mandant)],
  );
  const busy = new Set(others.rows.map((row) => row.mandant_id));
  const without = missing.filter(({ mandant }) => !busy.has(mandant));
  if (without.length === 0) return locked;
  // A batch may have been read long ago: nothing is begun for a Mandant that has been removed since.
  const there = await client.query<{ mandant_id: string }>(
    'SELECT mandant_id FROM mandanten WHERE mandant_id = ANY($1::uuid[]) ORDER BY mandant_id FOR KEY SHARE',
    [without.map(({ mandant }) => mandant)],
  );
  if (there.rows.length === 0) return locked;
  const found = there.rows.map((row) => row.mandant_id);
  const begun = await client.query<{ mandant_id: string }>(
    `INSERT INTO zaehlstaende (mandant_id) VALUES ${found.map((_, index) => `($${index + 1})`).join(', ')}
     ON CONFLICT DO NOTHING RETURNING mandant_id`,
    found,
  );
  const fresh = new Set(begun.rows.map((row) => row.mandant_id));
  const again = await take(without.filter(({ mandant }) => fresh.has(mandant)));
  return new Map([...locked, ...again]);
}

/** Waits until nobody counts a Mandant, and keeps everybody from it until the transaction ends. */
export async function holdCounting(client: pg.PoolClient, mandant: string): Promise<MerkmalStand> {
  await client.query('INSERT INTO zaehlstaende (mandant_id) VALUES ($1) ON CONFLICT DO NOTHING', [mandant]);
  const { rows } = await client.query<MerkmalStand>(
    'SELECT merkmale_anzahl, merkmale_marke FROM zaehlstaende WHERE mandant_id = $1 FOR UPDATE',
    [mandant],
  );
  return rows[0] as MerkmalStand;
}
