/** The rate that a call of a day is converted at, as counting takes it. */
import { sql } from 'kysely';
import { rateFrom, type UsdEurRate } from '#kernel/money.ts';
import type { MandantTx } from '#platform/database/index.ts';

/** That of the day, else the last one before it; `substitute` (a plain decimal) where there is none. */
export async function readRateOfDay(tx: MandantTx, day: string, substitute: string): Promise<UsdEurRate> {
  const row = await tx
    .selectFrom('wechselkurse')
    .select(sql<string>`trim_scale(round(usd_eur, 10))::text`.as('usd_eur'))
    .where('tag', '<=', day)
    .orderBy('tag', 'desc')
    .limit(1)
    .executeTakeFirst();
  return rateFrom(row?.usd_eur ?? substitute);
}
