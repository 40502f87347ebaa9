/** What the values of a dimension cost in a window and in the one before it: those that changed most. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import { RANKING } from '../rollup.ts';
import { sumsOf } from './figures.ts';
import type { Part } from './sums.ts';

/** Amounts in EUR as exact decimals; 0 without calls, null where no call has a known price. */
export interface ChangeRow {
  schluessel: string;
  aufrufe: string;
  kosten_eur: string | null;
  vorher_eur: string | null;
  differenz_eur: string | null;
  /** Places among those that cost more, cost less, and had no call earlier; null where it has none of the first ones. */
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

/** The first of those that meet the condition, with their places. */
const first = (condition: string, order: string, most: number) => sql`
  SELECT merkmal_id, row_number() OVER () AS platz FROM (
    SELECT merkmal_id FROM verglichen WHERE ${sql.raw(condition)}
    ORDER BY ${sql.raw(order)}, merkmal_id LIMIT ${most}) s`;

/**
 * Of the windows with these rows the values that have one of at most `most` places each. `earlier`: rows of the time in which a value
 * that is new had no call.
 */
export async function readChanges(
  tx: MandantTx,
  { now, before, earlier }: { now: Part; before: Part; earlier: Part },
  most: number,
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    WITH jetzt AS MATERIALIZED (${grouped(now)}), vorher AS MATERIALIZED (${grouped(before)}),
    frueher AS MATERIALIZED (
      SELECT merkmal_id FROM (${earlier}) r GROUP BY merkmal_id HAVING sum(aufrufe) > 0),
    kosten AS (
      SELECT coalesce(j.merkmal_id, v.merkmal_id) AS merkmal_id, coalesce(j.aufrufe, 0) AS aufrufe,
        ${costOf('j')} AS kosten_eur, ${costOf('v')} AS vorher_eur, j.merkmal_id IS NOT NULL AS gerufen
      FROM jetzt j FULL JOIN vorher v ON v.merkmal_id = j.merkmal_id),
    verglichen AS MATERIALIZED (
      SELECT k.*, kosten_eur - vorher_eur AS differenz_eur, gerufen AND f.merkmal_id IS NULL AS ist_neu
      FROM kosten k LEFT JOIN frueher f ON f.merkmal_id = k.merkmal_id),
    auf AS (${first('differenz_eur > 0', 'differenz_eur DESC', most)}),
    ab AS (${first('differenz_eur < 0', 'differenz_eur', most)}),
    neu AS (${first('ist_neu', 'kosten_eur DESC NULLS LAST', most)}),
    gereiht AS (
      SELECT merkmal_id, max(auf) AS gestiegen, max(ab) AS gesunken, max(neu) AS neu FROM (
        SELECT merkmal_id, platz AS auf, NULL::bigint AS ab, NULL::bigint AS neu FROM auf
        UNION ALL SELECT merkmal_id, NULL, platz, NULL FROM ab
        UNION ALL SELECT merkmal_id, NULL, NULL, platz FROM neu) s GROUP BY merkmal_id)
    SELECT m.text AS schluessel, v.aufrufe::text, trim_scale(v.kosten_eur)::text AS kosten_eur,
      trim_scale(v.vorher_eur)::text AS vorher_eur, trim_scale(v.differenz_eur)::text AS differenz_eur,
      g.gestiegen::int, g.gesunken::int, g.neu::int,
      (SELECT count(*) FROM verglichen WHERE ist_neu)::int AS neu_anzahl
    FROM gereiht g JOIN verglichen v ON v.merkmal_id = g.merkmal_id
    JOIN merkmale m ON m.mandant_id = ${tx.mandant} AND m.merkmal_id = g.merkmal_id`.execute(tx);
  return rows;
}
