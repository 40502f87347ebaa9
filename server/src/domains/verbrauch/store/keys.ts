/** What came by API keys: their calls and cost since some time, the latest call, and what the latest calls lack. */
import { sql } from 'kysely';
import type { Gaps } from '#domains/ereignisse/index.ts';
import { toCount } from '#kernel/count.ts';
import type { MandantTx } from '#platform/database/index.ts';

export interface KeyUse {
  /** When the latest of its calls was made. */
  letzter_aufruf_am: string | null;
  /** Since the time asked for. */
  aufrufe: number;
  unbepreist: number;
  /** EUR, exact; null where no call has a known price. */
  kosten_eur: string | null;
  /** What its latest calls lack. */
  luecken: Gaps;
}

type Counts = Record<'aufrufe' | 'unbepreist' | 'angesehen' | Exclude<keyof Gaps, 'aufrufe'>, string>;
type Row = { schluessel_id: string } & Counts & Pick<KeyUse, 'letzter_aufruf_am' | 'kosten_eur'>;

const toUse = (row: Row): KeyUse => ({
  letzter_aufruf_am: row.letzter_aufruf_am,
  aufrufe: toCount(row.aufrufe),
  unbepreist: toCount(row.unbepreist),
  kosten_eur: row.kosten_eur,
  luecken: {
    aufrufe: toCount(row.angesehen),
    ohne_lauf: toCount(row.ohne_lauf),
    ohne_fingerabdruck: toCount(row.ohne_fingerabdruck),
    ohne_endkunde: toCount(row.ohne_endkunde),
    adresse_als_anbieter: toCount(row.adresse_als_anbieter),
  },
});

/**
 * By `schluessel_id`, of each of these keys. `since` is when a local hour begins. Of what is lacking the latest hours are looked at,
 * as many as it takes for these calls: each hour has one at least.
 */
export async function readKeyUse(
  tx: MandantTx,
  keys: readonly string[],
  { since, latest }: { since: string; latest: number },
): Promise<Map<string, KeyUse>> {
  if (keys.length === 0) return new Map();
  const own = sql`v.mandant_id = ${tx.mandant} AND v.schluessel_id = k.schluessel_id`;
  const { rows } = await sql<Row>`
    SELECT k.schluessel_id, seither.*, zuletzt.* FROM unnest(${keys}::uuid[]) AS k (schluessel_id)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(aufrufe), 0)::text AS aufrufe, coalesce(sum(unbepreist), 0)::text AS unbepreist,
        CASE WHEN sum(unbepreist) < sum(aufrufe) THEN trim_scale(sum(kosten_eur))::text END AS kosten_eur
      FROM verbrauch_schluessel v WHERE ${own} AND v.stunde >= ${since}::timestamptz) AS seither
    CROSS JOIN LATERAL (
      SELECT max(letzter_aufruf_am) AS letzter_aufruf_am, coalesce(sum(aufrufe), 0)::text AS angesehen,
        coalesce(sum(ohne_lauf), 0)::text AS ohne_lauf, coalesce(sum(ohne_fingerabdruck), 0)::text AS ohne_fingerabdruck,
        coalesce(sum(ohne_endkunde), 0)::text AS ohne_endkunde,
        coalesce(sum(adresse_als_anbieter), 0)::text AS adresse_als_anbieter
      FROM (SELECT n.*, sum(aufrufe) OVER (ORDER BY stunde DESC) - aufrufe AS davor FROM (
          SELECT * FROM verbrauch_schluessel v WHERE ${own} ORDER BY v.stunde DESC LIMIT ${latest}) AS n) AS stunden
      WHERE davor < ${latest}) AS zuletzt`.execute(tx);
  return new Map(rows.map((row) => [row.schluessel_id, toUse(row)]));
}
