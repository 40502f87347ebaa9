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

export interface Booked {
  anbieter: string;
  aufrufe: string;
  kosten_eur: string;
  verglichen: string;
  preisbuch_eur: string;
  listenpreis_eur: string;
}

/** What calls of a month cost by the price book beside the list, by provider; days that were compared. */
export async function readBooked(tx: MandantTx, monat: string): Promise<Booked[]> {
  const { rows } = await sql<Booked>`
    SELECT anbieter, sum(aufrufe)::text AS aufrufe, trim_scale(sum(kosten_eur))::text AS kosten_eur,
      sum(verglichen)::text AS verglichen, trim_scale(sum(preisbuch_eur))::text AS preisbuch_eur,
      trim_scale(sum(listenpreis_eur))::text AS listenpreis_eur
    FROM preisbuch_kosten
    WHERE mandant_id = ${tx.mandant} AND tag >= ${first(monat)}::date AND tag < ${first(monat)}::date + interval '1 month'
    GROUP BY anbieter`.execute(tx);
  return rows;
}

/** Days of a month with calls that are not compared, or were before they changed. */
export async function countOpenDays(tx: MandantTx, monat: string): Promise<number> {
  const { rows } = await sql<{ tage: string }>`
    SELECT count(*)::text AS tage FROM verbrauch_tagesstand t
    LEFT JOIN gemeldete_kosten_tage g ON g.mandant_id = t.mandant_id AND g.tag = t.tag
    WHERE t.mandant_id = ${tx.mandant} AND t.tag >= ${first(monat)}::date AND t.tag < ${first(monat)}::date + interval '1 month'
      AND g.preisbuch IS DISTINCT FROM t.geaendert`.execute(tx);
  return toCount(rows[0]?.tage ?? 0);
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
