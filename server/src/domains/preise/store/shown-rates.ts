/** The latest reference rates, for people. */
import { sql } from 'kysely';
import { SHOWN_RATES } from '#contracts';
import type { ServiceContext } from '#platform/context.ts';

/** Of the European Central Bank, the latest first: the day `YYYY-MM-DD`, EUR for one USD exactly, when it was fetched. */
export function readShownRates({
  db,
}: Pick<ServiceContext, 'db'>): Promise<{ tag: string; usd_eur: string; geholt_am: string }[]> {
  return db.transaction((client) =>
    client
      .selectFrom('wechselkurse')
      .select(['tag', sql<string>`trim_scale(usd_eur)::text`.as('usd_eur'), 'geholt_am'])
      .where('quelle', '=', 'ezb')
      .orderBy('tag', 'desc')
      .limit(SHOWN_RATES)
      .execute(),
  );
}
