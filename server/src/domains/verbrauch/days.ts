/** What all calls of whole local days add up to: kept by counting, for those who ask no more. */
import { sql } from 'kysely';
import { toCount } from '#kernel/count.ts';
import type { MandantTx } from '#platform/database/index.ts';

/** How many calls were made from the day `von` to before the day `bis`. */
export async function readCallsOfDays(
  tx: MandantTx,
  { von, bis }: { von: Temporal.PlainDate; bis: Temporal.PlainDate },
): Promise<number> {
  const { rows } = await sql<{ aufrufe: string }>`
    SELECT coalesce(sum(aufrufe), 0)::text AS aufrufe FROM verbrauch_tagesstand
    WHERE mandant_id = ${tx.mandant} AND tag >= ${von.toString()}::date AND tag < ${bis.toString()}::date`.execute(
    tx,
  );
  return toCount(rows[0]?.aufrufe ?? '0');
}

/** The local days that calls were counted of, from `first` on where it is given, in their order: how many calls each has. */
export async function readDaysWithCalls(
  tx: MandantTx,
  first?: string,
): Promise<{ tag: string; aufrufe: number }[]> {
  const { rows } = await sql<{ tag: string; aufrufe: number }>`
    SELECT tag, aufrufe::float8 AS aufrufe FROM verbrauch_tagesstand
    WHERE mandant_id = ${tx.mandant} AND tag >= ${first ?? '-infinity'}::date ORDER BY tag`.execute(tx);
  return rows;
}
