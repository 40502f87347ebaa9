/** The substitute rates that calls of a window were converted at. */
import { sql } from 'kysely';
import { DIMENSIONS, type DimensionName, MAX_SUBSTITUTES } from '#contracts';
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { allOf, rowsOf, type Source } from './sums.ts';

/** EUR for one USD and the day that is of, the latest used first. The window is of whole local hours. */
export async function readSubstitutes(
  tx: MandantTx,
  { von, bis }: Window,
): Promise<{ usd_eur: string; tag: string | null }[]> {
  const { rows } = await sql<{ usd_eur: string; tag: string | null }>`
    SELECT trim_scale(kurs_usd_eur)::text AS usd_eur, ersatz_tag AS tag FROM verbrauch_kurs
    WHERE mandant_id = ${tx.mandant} AND stunde >= ${toUtc(von)}::timestamptz AND stunde < ${toUtc(bis)}::timestamptz
      AND ersatz_aufrufe > 0
    GROUP BY kurs_usd_eur, ersatz_tag ORDER BY max(stunde) DESC, kurs_usd_eur, 2 LIMIT ${MAX_SUBSTITUTES}`.execute(
    tx,
  );
  return rows;
}

/** Cost at a substitute rate. */
export interface SubstitutedRow {
  /** '' for calls without a value. */
  schluessel: string;
  /** Local day, YYYY-MM-DD. */
  tag: string;
  /** EUR, an exact decimal. */
  ersatz_eur: string;
  /** EUR for one USD; null where calls of an hour were converted at several. */
  kurs_usd_eur: string | null;
}

/** What the calls of a window of whole local hours that were converted at the substitute cost, by value, local day and rate. `source` is of hours. */
export async function readSubstituted(
  tx: MandantTx,
  source: Source,
  by: DimensionName,
): Promise<SubstitutedRow[]> {
  const { von, bis } = source.window;
  // The rates of an hour are put beside its sums without a join: nobody can tell the planner how many hours there are.
  const { rows } = await sql<SubstitutedRow>`
    WITH neben_kursen AS (
      SELECT bucket, merkmal_id, ersatz_eur,
        CASE WHEN min(kurs) OVER w = max(kurs) OVER w THEN min(kurs) OVER w END AS kurs
      FROM (SELECT bucket, merkmal_id, ersatz_eur, NULL::numeric AS kurs
          FROM (${rowsOf(tx, source, allOf(by), ['ersatz_eur'], true)}) r
        UNION ALL SELECT stunde, NULL, NULL, kurs_usd_eur FROM verbrauch_kurs
          WHERE mandant_id = ${tx.mandant} AND stunde >= ${toUtc(von)}::timestamptz AND stunde < ${toUtc(bis)}::timestamptz
            AND ersatz_aufrufe > 0) a
      WINDOW w AS (PARTITION BY bucket)),
    je_tag AS MATERIALIZED (
      SELECT merkmal_id, (bucket AT TIME ZONE ${von.timeZoneId})::date AS tag, kurs, sum(ersatz_eur) AS ersatz_eur
      FROM neben_kursen WHERE ersatz_eur <> 0 GROUP BY 1, 2, 3)
    SELECT m.text AS schluessel, t.tag::text AS tag, trim_scale(t.ersatz_eur)::text AS ersatz_eur,
      trim_scale(t.kurs)::text AS kurs_usd_eur
    FROM je_tag t
    JOIN merkmale m ON m.mandant_id = ${tx.mandant} AND m.dimension = ${sql.lit(DIMENSIONS[by].number)} AND m.merkmal_id = t.merkmal_id
    ORDER BY 1, 2, t.kurs`.execute(tx);
  return rows;
}
