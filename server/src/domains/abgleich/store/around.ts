/** SQL of what stands around counted and invoiced. Months are `YYYY-MM`, amounts plain decimals. */
import { sql } from 'kysely';
import { toCount } from '#kernel/count.ts';
import type { MandantTx } from '#platform/database/index.ts';

const first = (monat: string) => `${monat}-01`;

export interface Reported {
  anbieter: string;
  aufrufe: string;
  verglichen: string;
  gemeldet_eur: string;
  liste_eur: string;
}

/** What calls of a month reported as their cost beside the list, by provider; days that are over. */
export async function readReported(tx: MandantTx, monat: string): Promise<Reported[]> {
  const { rows } = await sql<Reported>`
    SELECT anbieter, sum(aufrufe)::text AS aufrufe, sum(verglichen)::text AS verglichen,
      trim_scale(sum(gemeldet_eur))::text AS gemeldet_eur, trim_scale(sum(liste_eur))::text AS liste_eur
    FROM gemeldete_kosten
    WHERE mandant_id = ${tx.mandant} AND tag >= ${first(monat)}::date AND tag < ${first(monat)}::date + interval '1 month'
    GROUP BY anbieter`.execute(tx);
  return rows;
}

/** A week: longer than reference rates ever pause. */
const BEFORE = '7 days';

/** Reference rates by day, ascending, as far as they matter to local days from `von` to `bis`: with the next one behind them. */
export async function readRates(
  tx: MandantTx,
  von: string,
  bis: string,
): Promise<{ tag: string; usd_eur: string }[]> {
  const { rows } = await sql<{ tag: string; usd_eur: string }>`
    SELECT tag::text AS tag, trim_scale(round(usd_eur, 10))::text AS usd_eur FROM wechselkurse
    WHERE tag >= ${von}::date - ${BEFORE}::interval
      AND tag <= (SELECT coalesce(min(tag), ${bis}::date) FROM wechselkurse WHERE tag >= ${bis}::date)
    ORDER BY tag`.execute(tx);
  return rows;
}

/** Accepted calls in batches that were received since then: those that are not counted yet, and those that were set aside. */
export async function readUncounted(
  tx: MandantTx,
  since: string,
): Promise<{ wartend: number; unzaehlbar: number }> {
  const { rows } = await sql<{ wartend: string; unzaehlbar: string }>`
    SELECT (SELECT coalesce(sum(anzahl), 0) FROM eingang
        WHERE mandant_id = ${tx.mandant} AND empfangen_am >= ${since}::timestamptz)::text AS wartend,
      (SELECT coalesce(sum(anzahl), 0) FROM eingang_unzaehlbar
        WHERE mandant_id = ${tx.mandant} AND empfangen_am >= ${since}::timestamptz)::text AS unzaehlbar`.execute(
    tx,
  );
  return { wartend: toCount(rows[0]?.wartend ?? 0), unzaehlbar: toCount(rows[0]?.unzaehlbar ?? 0) };
}
