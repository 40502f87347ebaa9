/** What the values of a dimension cost in a window and in the one before it: those that changed most. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import { RANKING, sumsOf } from './figures.ts';
import type { Part } from './sums.ts';

/** Amounts in EUR as exact decimals; 0 without calls, null where no call has a known price. */
export interface ChangeRow {
  schluessel: string;
  aufrufe: string;
  kosten_eur: string | null;
  vorher_eur: string | null;
  differenz_eur: string | null;
  /** Places among those that cost more, cost less, and had no call earlier; null where it is none of them. */
  gestiegen: number | null;
  gesunken: number | null;
  neu: number | null;
  /** How many had no call earlier. */
  neu_anzahl: number;
}

const grouped = (rows: Part) =>
  sql`SELECT merkmal_id, ${sumsOf(RANKING)} FROM (${rows}) r GROUP BY merkmal_id HAVING sum(aufrufe) > 0`;

/** Of a side of the comparison: without a call nothing was spent, without a price nobody knows. */
const costOf = (side: string) =>
  sql.raw(
    `CASE WHEN ${side}.merkmal_id IS NULL THEN 0 WHEN ${side}.aufrufe > ${side}.unbepreist THEN ${side}.kosten_eur END`,
  );

const place = (condition: string, order: string) =>
  sql.raw(
    `CASE WHEN ${condition} THEN row_number() OVER (PARTITION BY ${condition} ORDER BY ${order}, merkmal_id) END`,
  );

/**
 * Of the windows with these rows the values with at most `most` places each. `earlier`: rows of the time in which a value that is
 * new had no call.
 */
export async function readChanges(
  tx: MandantTx,
  { now, before, earlier }: { now: Part; before: Part; earlier: Part },
  most: number,
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    WITH jetzt AS MATERIALIZED (${grouped(now)}), vorher AS MATERIALIZED (${grouped(before)}),
    frueher AS MATERIALIZED (${grouped(earlier)}),
    kosten AS (
      SELECT coalesce(j.merkmal_id, v.merkmal_id) AS merkmal_id, coalesce(j.aufrufe, 0) AS aufrufe,
        ${costOf('j')} AS kosten_eur, ${costOf('v')} AS vorher_eur,
        j.merkmal_id IS NOT NULL AND NOT EXISTS (SELECT FROM frueher f WHERE f.merkmal_id = j.merkmal_id) AS ist_neu
      FROM jetzt j FULL JOIN vorher v ON v.merkmal_id = j.merkmal_id),
    verglichen AS (SELECT *, kosten_eur - vorher_eur AS differenz_eur FROM kosten),
    gereiht AS (
      SELECT *, ${place('differenz_eur > 0', 'differenz_eur DESC')} AS gestiegen,
        ${place('differenz_eur < 0', 'differenz_eur')} AS gesunken,
        ${place('ist_neu', 'kosten_eur DESC NULLS LAST')} AS neu,
        count(*) FILTER (WHERE ist_neu) OVER () AS neu_anzahl
      FROM verglichen)
    SELECT m.text AS schluessel, g.aufrufe::text, trim_scale(g.kosten_eur)::text AS kosten_eur,
      trim_scale(g.vorher_eur)::text AS vorher_eur, trim_scale(g.differenz_eur)::text AS differenz_eur,
      g.gestiegen::int, g.gesunken::int, g.neu::int, g.neu_anzahl::int
    FROM gereiht g JOIN merkmale m ON m.mandant_id = ${tx.mandant} AND m.merkmal_id = g.merkmal_id
    WHERE g.gestiegen <= ${most} OR g.gesunken <= ${most} OR g.neu <= ${most}`.execute(tx);
  return rows;
}
