/** How old the newest reference rate is, for the status. */
import { toInstant } from '#kernel/instant.ts';
import type { ServiceContext } from '#platform/context.ts';

/** The newest rate of the European Central Bank. */
export interface NewestRate {
  /** The day it is of, `YYYY-MM-DD`. */
  tag: string;
  /** When it was fetched, ISO 8601 in UTC. */
  geholt_am: string;
}

/** Null where none was ever fetched. Throws when the database does not answer. */
export async function readNewestRate({ db }: Pick<ServiceContext, 'db'>): Promise<NewestRate | null> {
  const row = await db.transaction((client) =>
    client
      .selectFrom('wechselkurse')
      .select(['tag', 'geholt_am'])
      .where('quelle', '=', 'ezb')
      .orderBy('tag', 'desc')
      .limit(1)
      .executeTakeFirst(),
  );
  return row ? { tag: row.tag, geholt_am: toInstant(row.geholt_am) } : null;
}
