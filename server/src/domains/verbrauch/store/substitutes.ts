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
    GROUP BY kurs_usd_eur, ersatz_tag ORDER BY max(stunde) DESC, 1, 2 LIMIT ${MAX_SUBSTITUTES}`.execute(tx);
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
  const { rows } = await sql<SubstitutedRow>`
    SELECT m.text AS schluessel, ((s.bucket AT TIME ZONE ${von.timeZoneId})::date)::text AS tag,
      trim_scale(sum(s.ersatz_eur))::text AS ersatz_eur, trim_scale(k.kurs)::text AS kurs_usd_eur
    FROM (SELECT bucket, merkmal_id, sum(ersatz_eur) AS ersatz_eur
        FROM (${rowsOf(tx, source, allOf(by), ['ersatz_eur'], true)}) r
        GROUP BY bucket, merkmal_id HAVING sum(ersatz_eur) <> 0) s
    JOIN merkmale m ON m.mandant_id = ${tx.mandant} AND m.dimension = ${sql.lit(DIMENSIONS[by].number)} AND m.merkmal_id = s.merkmal_id
    LEFT JOIN (SELECT stunde, CASE WHEN count(DISTINCT kurs_usd_eur) = 1 THEN min(kurs_usd_eur) END AS kurs
        FROM verbrauch_kurs
        WHERE mandant_id = ${tx.mandant} AND stunde >= ${toUtc(von)}::timestamptz AND stunde < ${toUtc(bis)}::timestamptz
          AND ersatz_aufrufe > 0
        GROUP BY stunde) k ON k.stunde = s.bucket
    GROUP BY 1, 2, k.kurs ORDER BY 1, 2, k.kurs`.execute(tx);
  return rows;
}
