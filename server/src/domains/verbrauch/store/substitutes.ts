/** The substitute rates that calls of a window were converted at. */
import { sql } from 'kysely';
import { MAX_SUBSTITUTES } from '#contracts';
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';

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

/** By the beginning of each hour (milliseconds since 1970) of a window the substitute rate of its calls; null where they are several. */
export async function readRatesByHour(
  tx: MandantTx,
  { von, bis }: Window,
): Promise<Map<number, string | null>> {
  const { rows } = await sql<{ stunde: string; kurs: string | null }>`
    SELECT stunde, CASE WHEN min(kurs_usd_eur) = max(kurs_usd_eur) THEN trim_scale(min(kurs_usd_eur))::text END AS kurs
    FROM verbrauch_kurs
    WHERE mandant_id = ${tx.mandant} AND stunde >= ${toUtc(von)}::timestamptz AND stunde < ${toUtc(bis)}::timestamptz
      AND ersatz_aufrufe > 0
    GROUP BY stunde`.execute(tx);
  return new Map(rows.map(({ stunde, kurs }) => [Date.parse(stunde), kurs]));
}
