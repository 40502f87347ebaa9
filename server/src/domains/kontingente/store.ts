/** SQL of what was used of quotas, by all processes together. */
import { sql } from 'kysely';
import type { RequestDatabase } from '#platform/database/index.ts';

/** What requests are counted as. */
export type Art = 'senden' | 'lesen' | 'ereignisse';

export interface Use {
  /** A key or a Mandant. */
  konto: string;
  art: Art;
  /** Milliseconds of the quota. */
  time: number;
}

/**
 * Adds what one process has used to what all have; resolves with how many milliseconds of each are not back yet, in the same order. In
 * the order of their keys, so that two processes cannot wait for each other.
 */
export async function addUse(db: Pick<RequestDatabase, 'transaction'>, uses: Use[]): Promise<number[]> {
  return db.transaction(async (client) => {
    // Lost in a crash of the server, and no harm: no quota waits for the disk.
    await client.query('SET LOCAL synchronous_commit = off');
    const { rows } = await sql<{ konto: string; art: Art; rest: number }>`
      INSERT INTO kontingentstaende AS k (konto, art, bis)
      SELECT konto, art, now() + zeit * interval '1 millisecond'
      FROM unnest(${uses.map(({ konto }) => konto)}::uuid[], ${uses.map(({ art }) => art)}::text[],
        ${uses.map(({ time }) => time)}::float8[]) AS neu (konto, art, zeit)
      ORDER BY konto, art
      ON CONFLICT (konto, art) DO UPDATE SET bis = greatest(k.bis, now()) + (excluded.bis - now())
      RETURNING konto, art, (extract(epoch FROM bis - now()) * 1000)::float8 AS rest`.execute(client);
    const rests = new Map(rows.map(({ konto, art, rest }) => [`${konto}/${art}`, rest]));
    return uses.map(({ konto, art }) => rests.get(`${konto}/${art}`) ?? 0);
  });
}
